const systemErrorTexts: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
};

/**
 * Returns an error of the operating system in plain words, with its code: `permission denied (EACCES)`. For any other
 * error, returns its message.
 */
export function describeSystemError(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(systemErrorTexts, code)
    ? `${systemErrorTexts[code]} (${code})`
    : error.message;
}
