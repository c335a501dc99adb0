/**
 * Requests of a configuration to read something outside of the YAML, and the decisions on them. The configuration may come from a pull
 * request, so the operator decides: see `sources.ts`.
 */
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/shell-word.ts';

/** Where a value is read from: an environment variable, a file, or the output of a command. */
export type Origin = { env: string } | { file: string } | { command: string[] };

/**
 * A request of the configuration to read a value from outside of the YAML. The value of a variable is shown in plans, that of a secret
 * never.
 */
export interface SourceRequest {
  use: 'variable' | 'secret' | 'file';
  name: string;
  /** `live`: the address of an object of the account. */
  origin: Origin | { live: string };
  /** The folder of the file that contains the request: relative paths start there. */
  folder: string;
  at: Position;
  /** Set if the person at the terminal is not asked, because the value may turn out not to need permission. */
  skipsPrompt?: true;
}

/** Replaces the characters of a name that environment variables cannot have. */
const toEnvName = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '_');

/** Returns the environment variable that sets a variable. */
export const variableEnv = (name: string): string => `TRUEUP_VAR_${toEnvName(name)}`;

/** Returns the environment variable that a secret without another source comes from. For `db[eu]` it is `TRUEUP_SECRET_db_eu`. */
export const secretEnv = (name: string): string =>
  `TRUEUP_SECRET_${toEnvName(name.replace(/\[(.*)\]$/, '_$1'))}`;

/** Returns the value of an environment variable, without inherited members of the object such as `constructor`. */
export const envValue = (env: Record<string, string | undefined>, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/** Describes an origin in one line, for messages and the ledger. */
export function originText(origin: SourceRequest['origin']): string {
  if ('env' in origin) return `env ${origin.env}`;
  if ('file' in origin) return `file ${origin.file}`;
  if ('live' in origin) return `secret of ${origin.live}`;
  return `command ${origin.command.map(shellWord).join(' ')}`;
}

/** The decision on one source. */
export type Verdict =
  | {
      allowed: true;
      /** The real path of the file, or of the program to run. */
      path?: string;
      /** Set if git tracks the file: everyone who can read the repository can read it. */
      isTracked?: true;
    }
  | {
      allowed: false;
      message: string;
      /** Set if no flag can allow it. */
      never?: true;
      /** Set if it does not exist, so that a flag would not help. */
      isMissing?: true;
      /** The flag that would allow it. */
      flag?: string;
      /** The real path of a file, under which permission for it is remembered. */
      key?: string;
      path?: string;
    };

/**
 * Returns the error for a source that may not be read, with the exact flag that would allow it; undefined if it may be read. All callers of
 * `judge` use it, so that refusals look alike.
 */
export function toRefusal(request: SourceRequest, verdict: Verdict): Diagnostic | undefined {
  if (verdict.allowed) return undefined;
  const { use, name, origin, at } = request;
  const subject = `the ${use} \`${name}\``;
  const originType = 'env' in origin ? 'env' : 'file' in origin ? 'file' : 'command';
  const code = verdict.isMissing
    ? use === 'file'
      ? 'file/missing'
      : `secret/${originType}`
    : `source/${originType}`;
  return problem(code, `${subject} is not available: ${verdict.message}`, {
    at,
    secret: use === 'secret' ? { name, ...('env' in origin ? { variable: origin.env } : {}) } : undefined,
    hint: refusalHint(request, verdict),
  });
}

/**
 * Returns the hint of the error for a source that may not be read: the flag that allows it, also for a CI workflow, or how to provide the
 * value in another way.
 */
function refusalHint(
  { use, name, origin }: SourceRequest,
  { flag, never, isMissing }: Extract<Verdict, { allowed: false }>,
): string {
  if (isMissing)
    return 'file' in origin
      ? 'the path is relative to the file that names it'
      : 'install it on the PATH; programs inside the repository are not run';
  if (never)
    return 'command' in origin
      ? 'use a program on the PATH, or the full path of one outside the repository'
      : 'no flag allows this; provide the value in another way';
  if (flag === undefined)
    return "allow it with `*` for the variable part: --allow-command 'PROGRAM ARGUMENT PREFIX*'";
  if ('env' in origin && use === 'secret')
    return `write \`${name.replace(/\[.*$/, '')}: {}\` and set ${secretEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${origin.env}\``;
  if ('env' in origin)
    return `set ${variableEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`${variableEnv(name)}: \${{ vars.${origin.env} }}\``;
  return `allow it with ${flag}; in a workflow, \`run: npm exec --no trueup -- plan ${flag}\``;
}
