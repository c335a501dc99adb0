import type { CiRepository, CiSecret } from '../ci/repository.ts';
import { quoted } from '../config/suggest.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';

/**
 * Finds words that no workflow can hold: control characters, which could end its lines, what GitHub takes for an expression wherever it stands, and
 * variables of the environment that CI gives to nobody.
 */
export function oddWords({ branch, tool, stacks, secrets, variables }: CiRepository): Diagnostic[] {
  const places = [
    ['the default branch', branch],
    ['the folder of the lockfile', tool],
    [
      'file' in stacks ? 'the configuration' : 'the workspace',
      'file' in stacks ? stacks.file : stacks.workspace,
    ],
  ] as const;
  return [
    ...places
      .filter(([, name]) => /[\p{C}\p{Zl}\p{Zp}]|\$\{\{/u.test(name))
      .map(([what, name]) =>
        problem('init/ci-name', `${what} ${quoted(name)} has a name that cannot be used in a workflow`, {
          hint: 'names must not contain control characters or `${{`: rename it',
        }),
      ),
    ...[
      ...secrets.map((one) => ({ ...one, what: 'secret' })),
      ...variables.map((one) => ({ ...one, what: 'variable' })),
    ]
      .filter(({ env }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(env) || /^GITHUB_/i.test(env))
      .map(({ name, env, what }) =>
        problem(
          'init/ci-name',
          `the ${what} ${quoted(name)} is read from ${quoted(env)}, which CI cannot provide`,
          {
            hint: 'use letters A to Z, digits and `_`, not starting with GITHUB_: rename it, or give a secret another variable with `{ env: NAME }`',
          },
        ),
      ),
    ...sameName([...secrets, ...variables]),
  ];
}

/** CI tells capitals and small letters apart in no name of a variable. */
function sameName(secrets: CiSecret[]): Diagnostic[] {
  const first = new Map<string, CiSecret>();
  return secrets.flatMap((secret) => {
    const other = first.get(secret.env.toUpperCase());
    if (!other) first.set(secret.env.toUpperCase(), secret);
    if (!other) return [];
    return [
      problem(
        'init/ci-name',
        `${quoted(other.name)} and ${quoted(secret.name)} are read from ${other.env} and ${secret.env}, which CI treats as the same name`,
        { hint: 'names are not case-sensitive there: rename one of them' },
      ),
    ];
  });
}
