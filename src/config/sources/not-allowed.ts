import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { type Asked, secretEnv, variableEnv } from './origin.ts';
import type { Verdict } from './verdict.ts';

/** The problem with what may not be read, and exactly what allows it; undefined where it may. */
export function notAllowed(asked: Asked, verdict: Verdict): Diagnostic | undefined {
  if (verdict.allowed) return undefined;
  const { use, name, origin, at } = asked;
  const what = use === 'secret' ? `the secret \`${name}\`` : `the variable \`${name}\``;
  const sort = 'env' in origin ? 'env' : 'file' in origin ? 'file' : 'command';
  const code = verdict.isGone ? `secret/${sort}` : `source/${sort}`;
  return problem(code, `${what} is not available: ${verdict.message}`, {
    at,
    ...(use === 'secret' ? { secret: { name, ...('env' in origin ? { variable: origin.env } : {}) } } : {}),
    hint: hintOf(asked, verdict),
  });
}

function hintOf(
  { use, name, origin }: Asked,
  { flag, never, isGone }: Extract<Verdict, { allowed: false }>,
): string {
  if (isGone)
    return 'file' in origin
      ? 'the path starts at the folder of the file that names it'
      : 'install it where the PATH leads; what lies in the repository does not run';
  if (never)
    return 'command' in origin
      ? 'name a program of the PATH, or the whole path of one outside of the repository'
      : 'no flag allows it; give the secret in another way';
  if (flag === undefined)
    return "allow it with a `*` in place of what has one: --allow-command 'PROGRAM ARGUMENT PREFIX*'";
  if ('env' in origin && use === 'secret')
    return `write \`${name}: {}\` and set ${secretEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${origin.env}\``;
  if ('env' in origin)
    return `set ${variableEnv(name)}, or allow it with ${flag}; in a workflow, under \`env:\`, \`${variableEnv(name)}: \${{ vars.${origin.env} }}\``;
  return `allow it with ${flag}; in a workflow, \`run: npm exec --no trueup -- plan ${flag}\``;
}
