import type { Position } from '../../model/diagnostic.ts';

/** A place outside of the YAML from which a value is read. */
export type Origin = { env: string } | { file: string } | { command: string[] };

/** What a configuration asks to read. The value of a variable is shown in plans, that of a secret never. */
export interface Asked {
  use: 'variable' | 'secret';
  name: string;
  origin: Origin;
  /** The folder of the file that asks: paths start there. */
  folder: string;
  at: Position;
}

const mapped = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '_');

/** The environment variable that gives a variable its value. */
export const variableEnv = (name: string): string => `TRUEUP_VAR_${mapped(name)}`;

/** The environment variable that holds a secret that names no other place. */
export const secretEnv = (name: string): string => `TRUEUP_SECRET_${mapped(name)}`;

/** A member of the environment, and nothing that it inherits. */
export const envValue = (env: Record<string, string | undefined>, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/** A word for a shell: in quotes where it has to be. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** An origin in a line for people, and for the ledger. */
export function originText(origin: Origin): string {
  if ('env' in origin) return `env ${origin.env}`;
  if ('file' in origin) return `file ${origin.file}`;
  return `command ${origin.command.map(shellWord).join(' ')}`;
}
