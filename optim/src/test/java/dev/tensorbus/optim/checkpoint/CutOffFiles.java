// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files of this machine as a process sees them that is killed at a given step: the step and
/// all later ones fail. A write that is cut off writes half.
final class CutOffFiles extends FileSystemProvider {
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final FileSystemProvider real = FileSystems.getDefault().provider();
  private final FileSystem fileSystem = new CutOffFileSystem();
  private final int last;
  private final List<String> steps = new ArrayList<>();

  /// @param last the number of steps before the process is killed
  CutOffFiles(int last) {
    this.last = last;
  }

  /// The steps that change something, such as `move manifest.json`, random names as `*`.
  List<String> steps() {
    return steps;
  }

  /// A path by which these files are used.
  Path of(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (_, method, arguments) -> call(path, method, arguments));
  }

  private @Nullable Object call(Path path, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("getFileSystem")) {
      return fileSystem;
    }
    Object[] unwrapped =
        arguments == null ? new Object[0] : Arrays.stream(arguments).map(this::unwrap).toArray();
    try {
      Object result = method.invoke(path, unwrapped);
      return result instanceof Path found ? of(found) : result;
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  private Object unwrap(Object argument) {
    return argument instanceof Path path && Proxy.isProxyClass(path.getClass())
        ? Path.of(path.toString())
        : argument;
  }

  private Path real(Path path) {
    return (Path) unwrap(path);
  }

  private boolean isCutOff() {
    return steps.size() > last;
  }

  private void step(String action, Path path) throws IOException {
    steps.add(action + " " + RANDOM.matcher(path.getFileName().toString()).replaceAll("*"));
    if (isCutOff()) {
      throw new IOException("cut off");
    }
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (options.contains(StandardOpenOption.CREATE_NEW)) {
      step("create", path);
    }
    return new CutOffChannel(path, real.newFileChannel(real(path), options, attributes));
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    step("create", path);
    real.createDirectory(real(path), attributes);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (Files.exists(real(path), LinkOption.NOFOLLOW_LINKS)) {
      step("delete", path);
    }
    real.delete(real(path));
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    step("move to", target);
    real.move(real(source), real(target), options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (options.contains(StandardOpenOption.WRITE)) {
      throw new UnsupportedOperationException("a write that is not counted: " + path);
    }
    return real.newByteChannel(real(path), options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> stream = real.newDirectoryStream(real(path), _ -> true);
    List<Path> found = new ArrayList<>();
    stream.forEach(entry -> found.add(of(entry)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return found.iterator();
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(real(path), modes);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return real.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return real.readAttributes(real(path), names, options);
  }

  @Override
  public String getScheme() {
    return "cut-off";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return fileSystem;
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return real.isSameFile(real(path), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(real(path));
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return real.getFileAttributeView(real(path), type, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException();
  }

  /// A file that counts what is written and forced to the disk.
  private final class CutOffChannel extends FileChannel {
    private final Path path;
    private final FileChannel file;

    CutOffChannel(Path path, FileChannel file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      if (steps.size() == last) {
        file.write(bytes.slice(bytes.position(), bytes.remaining() / 2));
      }
      step("write", path);
      return file.write(bytes);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      step("force", path);
      file.force(metaData);
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return file.read(bytes);
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
      return file.read(buffers, offset, length);
    }

    @Override
    public int read(ByteBuffer bytes, long position) throws IOException {
      return file.read(bytes, position);
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer bytes, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }

  /// Leads to the provider; nothing else of it is used.
  private final class CutOffFileSystem extends FileSystem {
    @Override
    public FileSystemProvider provider() {
      return CutOffFiles.this;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return Set.of("basic");
    }

    @Override
    public Path getPath(String first, String... more) {
      return of(Path.of(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }
}
