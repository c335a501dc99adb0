/**
 * Decides which environment variables a configuration may read, and builds the problems with others.
 *
 *   use   who reads the value: a variable (shown in plans) or a secret (never shown)
 */
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/shell-word.ts';
import { quoted } from '../suggest.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';
import type { Allowances, EnvPermission } from './allowances.ts';
import type { SourceRequest, Verdict } from './verdict.ts';

/**
 * Returns why no flag can allow an environment variable for this use, such as trueup's own token; undefined if a flag can. Names are
 * compared without case, because for some systems `trueup_token` is TRUEUP_TOKEN.
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
 * Decides whether a configuration may read an environment variable for this use (variable or secret). The refusal contains the flag that
 * would allow it, so that the operator can copy it.
 */
export function envVerdict(name: string, use: SourceRequest['use'], { env, envShown }: Allowances): Verdict {
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
 * Explains in a refusal why a pattern of `--allow-env` that matches a name does not allow it: it might open credentials by accident. Empty
 * if no pattern matches.
 */
function whyIneffective(permission: EnvPermission): string {
  if (permission.allowed || !permission.ineffective) return '';
  const { pattern, family } = permission.ineffective;
  return family.isService
    ? `: the pattern ${pattern} does not open ${family.prefix}*, only a pattern that starts with ${family.prefix} does`
    : `: no pattern (${pattern}) opens names of clouds, vaults, CI systems and registries`;
}

/** Returns the problem with two declared names that one environment variable would set, as for `a-b` and `a_b`. */
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

/** Returns the problem with a variable that reads the same environment variable as a secret: plans show the values of variables. */
export const secretShownByVariable = (env: string, position: Position): Diagnostic =>
  problem('env/secret', `${quoted(env)} is used by a secret, but values of variables are shown`, {
    at: position,
    hint: 'use it for one of them only, and give a value that is not secret its own environment variable',
  });
