const words: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reports an error',
};

/** An error of the system in plain words, with its code: `permission denied (EACCES)`. Of any other error its message. */
export function systemText(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(words, code) ? `${words[code]} (${code})` : error.message;
}
