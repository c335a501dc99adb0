import { shellWord } from '../config/sources/verdict.ts';

/** A path from the top of the repository as a word for a shell that no program takes for an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);
