import path from 'node:path';

/** The most links that a path may go through, as on Linux. */
export const maxLinksInPath = 40;

/**
 * True if a file is the folder or lies in it. Used to keep runs inside of a checkout. Both must be real paths, because a link may lead
 * anywhere.
 */
export const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** Returns the path from a folder to a file with `/` on every system, as git and ledgers name files. Empty for the folder itself. */
export const pathFrom = (folder: string, file: string): string =>
  path.relative(folder, file).split(path.sep).join('/');
