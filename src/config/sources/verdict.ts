/**
 * Requests of a configuration to read something outside of the YAML, and the decisions on them. The configuration may come from a pull
 * request, so the operator decides: see `sources.ts`.
 *
 *   use   the reader of the value: a variable (shown in plans), a secret (never shown), or a field that names a file
 */
import { type Diagnostic, type Position, problem, shellWord } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';

/** Where a value is read from: an environment variable, a file, or the output of a command. */
export type Origin = { env: string } | { file: string } | { command: string[] };

/**
 * A request of the configuration to read a value from outside of the YAML. The value of a variable is shown in plans, that of a secret
 * never.
 */
export interface SourceRequest {
  use: 'variable' | 'secret' | 'file' | 'ledger';
  name: string;
  /** `live`: the address of an object of the account. `ledger`: the place of the ledger, in the form that `--ledger` takes. */
  origin: Origin | { live: string } | { ledger: string };
  /** The folder of the file that contains the request: relative paths start there. */
  folder: string;
  at: Position;
  /** For a secret that is a member of a family, the names of all members that the configuration uses. */
  family?: readonly string[];
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

/**
 * Describes in one line where a value came from, such as `env DATABASE_URL`, for messages and for the ledger,
 * which records it.
 */
export function originText(origin: SourceRequest['origin']): string {
  if ('env' in origin) return `env ${origin.env}`;
  if ('file' in origin) return `file ${origin.file}`;
  if ('live' in origin) return `secret of ${origin.live}`;
  if ('ledger' in origin) return origin.ledger;
  return `command ${origin.command.map(shellWord).join(' ')}`;
}

/**
 * Whether `--allow-env` lets a secret be read from an environment variable. `ineffective`: a pattern that matches its name without opening
 * its family, for the message.
 */
export type EnvPermission =
  | { allowed: true }
  | { allowed: false; ineffective?: { pattern: string; family: CredentialFamily } };

/** A family of environment variables with credentials. */
export interface CredentialFamily {
  /** In upper case, such as `STRIPE_`. For a variable without relatives, its whole name. */
  prefix: string;
  /**
   * True for a service that a project uses: a pattern such as `STRIPE_*` opens it. False for clouds, vaults, CI systems and registries:
   * their credentials reach much further, so each has to be named.
   */
  isService: boolean;
}

/** What the operator lets a configuration read from the environment. */
export interface EnvAllowances {
  /** Returns whether a secret may be read from an environment variable. */
  env(name: string): EnvPermission;
  /** True if a variable, whose value is shown, may be read from an environment variable. */
  envShown(name: string): boolean;
}

/** The decision on one source. */
export type SourceVerdict =
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
      /** The path of a file below the working directory or elsewhere in the repository that `git add` would make readable. */
      untracked?: string | undefined;
    };

/**
 * Returns the error for a source that may not be read, with the exact flag that would allow it, if there is one;
 * undefined if it may be read. All callers of `judge` make their errors with it, so that these look alike.
 */
export function toRefusal(request: SourceRequest, verdict: SourceVerdict): Diagnostic | undefined {
  if (verdict.allowed) return undefined;
  const { use, name, origin, at, family } = request;
  if ('ledger' in origin)
    return problem('source/ledger', `the ledger cannot be kept there: ${verdict.message}`, {
      at,
      hint: ledgerHint(origin.ledger, verdict),
    });
  return problem(
    refusalCode(request, verdict),
    `the ${use} \`${name}\` is not available: ${verdict.message}`,
    {
      at,
      secret:
        use === 'secret' ? { name, variable: 'env' in origin ? origin.env : undefined, family } : undefined,
      hint: refusalHint(request, verdict),
    },
  );
}

/** Returns the code of the error for a source that may not be read, or that does not exist. */
function refusalCode(
  { use, origin }: SourceRequest,
  { isMissing }: Extract<SourceVerdict, { allowed: false }>,
): string {
  // For environment variables, files and commands: a `ledger` has a code of its own, and callers report a refused `live` origin themselves.
  if (isMissing && use === 'file') return 'file/missing';
  const prefix = isMissing ? 'secret' : 'source';
  if ('env' in origin) return `${prefix}/env`;
  return 'file' in origin ? `${prefix}/file` : `${prefix}/command`;
}

/**
 * Returns the hint of the error for an environment variable, file or command that a configuration may not
 * read: the flag that allows it, also as a line of a CI workflow, or another way to provide the value. The
 * operator can copy it.
 */
function refusalHint(
  { use, name, origin }: SourceRequest,
  { flag, never, isMissing, untracked }: Extract<SourceVerdict, { allowed: false }>,
): string {
  if (isMissing)
    return 'file' in origin
      ? 'the path is relative to the file that names it'
      : 'install it on the PATH; programs inside the repository are not run';
  if (never)
    return 'command' in origin
      ? 'use a program on the PATH, or the full path of one outside the repository'
      : 'no flag allows this; provide the value in another way';
  // A command with a `*` in a word. A flag with exactly this command would be read as a pattern.
  if (flag === undefined)
    return "allow it with `*` for the variable part: --allow-command 'PROGRAM ARGUMENT PREFIX*'";
  if ('env' in origin && use === 'secret')
    return `write \`${name.replace(/\[.*$/, '')}: {}\` and set ${secretEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${origin.env}\``;
  if ('env' in origin)
    return `set ${variableEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`${variableEnv(name)}: \${{ vars.${origin.env} }}\``;
  // A file of secrets must not be committed, so only the flag is suggested for it.
  if (untracked !== undefined && use !== 'secret')
    return `add it to git: \`git add ${shellWord(untracked)}\`; or allow it with ${flag}`;
  return `allow it with ${flag}; in a workflow, \`run: npm exec --no trueup -- plan ${flag}\``;
}

/**
 * Returns the hint of the error for a place of the ledger that the YAML names and the operator has not allowed: the flag or variable with
 * which the operator names it. These win over the YAML, so they are also the consent.
 */
const ledgerHint = (place: string, { flag, never }: Extract<SourceVerdict, { allowed: false }>): string =>
  never || flag === undefined
    ? 'name a `.json` file elsewhere in the repository, for example `.trueup/ledger/shop.json`, or write `ledger: git`'
    : `if it is yours, pass ${flag}, or set TRUEUP_LEDGER to it (in a workflow under \`env:\`, \`TRUEUP_LEDGER: ${place}\`); \`trueup plan\` at a terminal asks and remembers it`;

/**
 * Returns why no flag can allow a configuration to read an environment variable, such as trueup's own token;
 * undefined if a flag can. `use`: for a secret, or for a variable, whose value plans show. Names are compared
 * without case, because for some systems `trueup_token` is TRUEUP_TOKEN.
 */
export function reasonNeverAllowed(name: string, use: SourceRequest['use']): string | undefined {
  if (name.trim() === '') return 'the name of the environment variable is missing';
  const isOwn = name.trim().toUpperCase().startsWith('TRUEUP_');
  if (!isOwn || isAlwaysAllowed(name, use)) return undefined;
  return use === 'variable' && /^TRUEUP_SECRET_/i.test(name.trim())
    ? `${name} contains a secret, but values of variables are shown`
    : `${name} is reserved for trueup and cannot be read by a configuration`;
}

/** True for the environment variables that trueup defines for this use, such as TRUEUP_VAR_name for variables. */
const isAlwaysAllowed = (name: string, use: SourceRequest['use']): boolean =>
  (use === 'secret' ? /^TRUEUP_SECRET_./s : /^TRUEUP_VAR_./s).test(name);

/**
 * Decides whether a configuration may read an environment variable. `use`: for a secret, or for a variable,
 * whose value plans show. The refusal contains the flag that would allow it, if there is one, so that the
 * operator can copy it.
 */
export function envVerdict(
  name: string,
  use: SourceRequest['use'],
  { env, envShown }: EnvAllowances,
): SourceVerdict {
  const reason = reasonNeverAllowed(name, use);
  if (reason !== undefined) return { allowed: false, never: true, message: reason };
  const permission = use === 'secret' ? env(name) : { allowed: envShown(name) };
  if (isAlwaysAllowed(name, use) || permission.allowed) return { allowed: true };
  const [flag, message] =
    use === 'secret'
      ? ['--allow-env', `${name} may not be read${whyIneffective(permission)}`]
      : ['--allow-env-shown', `${name} is not allowed, and its value would be shown`];
  // The flag would read a name with a `*` as a pattern.
  return { allowed: false, message, flag: name.includes('*') ? undefined : `${flag} ${shellWord(name)}` };
}

/**
 * Returns why a pattern of `--allow-env` that matches a name does not allow it, for the message: the name belongs to a family of
 * credentials, which a broad pattern must not open by accident. Only a pattern with the prefix of the family opens a service (`STRIPE_*`),
 * and none opens a cloud, vault, CI system or registry (`isService` is false). Empty if no pattern matches.
 */
function whyIneffective(permission: EnvPermission): string {
  if (permission.allowed || !permission.ineffective) return '';
  const { pattern, family } = permission.ineffective;
  return family.isService
    ? `: the pattern ${pattern} does not open ${family.prefix}*, only a pattern that starts with ${family.prefix} does`
    : `: no pattern (${pattern}) opens names of clouds, vaults, CI systems and registries`;
}

/**
 * Returns the problem with two secrets or variables of a configuration that one environment variable would set, as for `a-b` and `a_b`.
 * Both would silently get the same value.
 */
export const ambiguousEnv = (env: string, key: ScalarNode, firstKey: ScalarNode): Diagnostic =>
  problem(
    'env/ambiguous',
    `${quoted(key.text)} and ${quoted(firstKey.text)} would both be read from ${env}`,
    {
      at: key,
      hint: 'rename one of them: anything but letters, digits and `_` becomes `_`',
      related: [{ message: 'the first one', at: firstKey }],
    },
  );

/**
 * Returns the problem with an environment variable that no flag allows, because it is one of trueup's own. `env`: the node with its name.
 * `reason`: from `reasonNeverAllowed`.
 */
export const refusedEnv = (env: Node, reason: string): Diagnostic =>
  problem('env/refused', reason, {
    at: env,
    hint: 'set the value under TRUEUP_VAR_* for a variable, or TRUEUP_SECRET_* for a secret',
  });

/**
 * Returns the problem with a variable of the configuration that reads the same environment variable as a secret: plans show the values of
 * variables, so the secret would be shown.
 */
export const secretShownByVariable = (env: string, position: Position): Diagnostic =>
  problem('env/secret', `${quoted(env)} is used by a secret, but values of variables are shown`, {
    at: position,
    hint: 'use it for one of them only, and give a value that is not secret its own environment variable',
  });
