// SPDX-License-Identifier: Apache-2.0
// The site: the documents of the repository, in their folders. CONTRIBUTING.md describes how to build
// and view it.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

const target = resolve(root, 'target')
const javadoc = resolve(target, 'reports/apidocs')
const hasJavadoc = existsSync(javadoc)

const chapters = {
  Start: [
    'README', 'docs/README', 'docs/from-pytorch', 'docs/torch-names', 'docs/in-a-vertx-service',
    'docs/imports', 'docs/from-djl',
  ],
  Tasks: [
    'docs/tasks/fine-tune', 'docs/onnx-models', 'docs/tables', 'docs/tasks/text', 'docs/serving',
    'docs/tasks/service', 'docs/tasks/python', 'docs/tasks/resume', 'docs/tasks/copies',
    'docs/testing', 'docs/tasks/watch', 'docs/tasks/deploy', 'docs/tasks/gpu',
  ],
  Guides: [
    'docs/layers', 'docs/data', 'docs/training', 'docs/curves',
    'docs/parameter-servers', 'docs/consistency', 'docs/simulation-of-servers', 'docs/optim',
    'docs/checkpoints', 'docs/programs',
    'docs/onnx', 'docs/compiled', 'docs/grpc',
    'docs/tutorials/batch', 'docs/tutorials/cartpole', 'docs/tutorials/rnn', 'docs/tutorials/grpc',
  ],
  Concepts: [
    'docs/architecture', 'docs/glossary', 'docs/protocol', 'docs/calls', 'docs/references',
    'docs/membership', 'docs/messages', 'docs/execution', 'docs/latency', 'docs/lane',
    'docs/autograd', 'docs/second-derivatives', 'docs/operations', 'docs/missing',
    'docs/dist-autograd', 'docs/dist-autograd-proof', 'docs/kernels', 'docs/products',
    'docs/memory', 'docs/behaviours',
  ],
  Operations: [
    'docs/deployment', 'docs/security', 'docs/observing', 'docs/metrics', 'docs/tracing', 'docs/profiler',
    'docs/status', 'docs/page', 'docs/logs', 'docs/releasing', 'CONTRIBUTING', 'CHANGELOG',
    'benchmarks/RESULTS',
  ],
}

const listed = new Set(Object.values(chapters).flat())
const forgotten = readdirSync(`${root}/docs`, { recursive: true })
  .filter((file) => file.endsWith('.md') && !listed.has(`docs/${file.slice(0, -3)}`))
if (forgotten.length > 0) {
  throw new Error(`docs/${forgotten.join(', docs/')}: in no chapter of config/site/.vitepress/config.js`)
}

function item(page) {
  const heading = readFileSync(`${root}/${page}.md`, 'utf8').match(/^# (.+)$/m)
  return { text: heading[1], link: page === 'README' ? '/' : `/${page}` }
}

// Renders indented code blocks like fenced ones. A link to a file that is not a page of the site
// becomes plain text with the file's path as a tooltip.
function adapt(markdown) {
  markdown.core.ruler.push('adapt', (state) => {
    const here = posix.dirname(state.env.relativePath)
    for (const block of state.tokens) {
      if (block.type === 'code_block') {
        Object.assign(block, { type: 'fence', info: 'text' })
      }
      let isFile = false
      for (const token of block.children ?? []) {
        if (token.type === 'link_open') {
          const to = token.attrGet('href')
          isFile = !/^(\w+:|#)|\.md(#|$)/.test(to)
          if (isFile) {
            token.tag = 'span'
            token.attrs = [['title', posix.join(here, to)]]
          } else {
            token.attrSet('href', to.replace(/^((\.\.\/)*)README\.md/, '$1index.md'))
          }
        } else if (token.type === 'link_close' && isFile) {
          token.tag = 'span'
        }
      }
    }
  })
}

export default {
  title: 'Tensorbus',
  description: 'Distributed training on the JVM, on the Vert.x event bus',
  srcDir: root,
  srcExclude: ['**/target/**', 'config/**', 'examples/**', 'verticles/**'],
  outDir: resolve(target, 'site'),
  cacheDir: resolve(target, 'site-cache'),
  // Matches the links.
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: false,
  lastUpdated: false,
  markdown: { config: adapt },
  buildEnd: ({ outDir }) => hasJavadoc && cpSync(javadoc, resolve(outDir, 'api'), { recursive: true }),
  // The pages are outside this folder, where vue would not be found.
  vite: { resolve: { alias: { vue: resolve(import.meta.dirname, '../node_modules/vue') } } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      ...Object.entries(chapters).map(([text, pages]) => ({ text, link: item(pages[0]).link })),
      ...(hasJavadoc ? [{ text: 'Reference', link: '/api/index.html', target: '_self' }] : []),
    ],
    sidebar: Object.entries(chapters).map(([text, pages]) => ({ text, items: pages.map(item) })),
  },
}
