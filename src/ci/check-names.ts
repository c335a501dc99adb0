import { quoted } from '../config/suggest.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { CiRepository, CiSecret } from './repository.ts';

/**
 * Returns problems with names of a repository that a workflow of `init --ci` cannot contain: control characters
 * could end its lines, and GitHub would interpret `${{` as an expression. Also for environment variables that CI
 * cannot provide, and for variables that differ only in capital letters.
 */
export const findUnusableNames = (repository: CiRepository): Diagnostic[] => [
  ...findUnusableWords(repository),
  ...findUnusableInputs(repository.secrets, 'secret'),
  ...findUnusableInputs(repository.variables, 'variable'),
  ...findEqualVariables([...repository.secrets, ...repository.variables]),
];

/** Returns problems with the names that a workflow contains as text: the default branch, and the paths of folders and files. */
function findUnusableWords({ branch, tool, stacks }: CiRepository): Diagnostic[] {
  const names: [noun: string, name: string][] = [
    ['the default branch', branch],
    ['the folder of the lockfile', tool],
    'file' in stacks ? ['the configuration', stacks.file] : ['the workspace', stacks.workspace],
  ];
  const unusable = names.filter(([, name]) => /[\p{C}\p{Zl}\p{Zp}]|\$\{\{/u.test(name));
  return unusable.map(([noun, name]) =>
    problem('init/ci-name', `${noun} ${quoted(name)} has a name that cannot be used in a workflow`, {
      hint: 'names must not contain control characters or `${{`: rename it',
    }),
  );
}

/**
 * Returns problems with secrets or variables whose environment variable CI cannot provide. GitHub reserves names that begin with `GITHUB_`.
 */
function findUnusableInputs(inputs: CiSecret[], noun: 'secret' | 'variable'): Diagnostic[] {
  const unusable = inputs.filter(({ env }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(env) || /^GITHUB_/i.test(env));
  return unusable.map(({ name, env }) =>
    problem(
      'init/ci-name',
      `the ${noun} ${quoted(name)} is read from ${quoted(env)}, which CI cannot provide`,
      {
        hint: 'use letters A to Z, digits and `_`, not starting with GITHUB_: rename it, or give a secret another variable with `{ env: NAME }`',
      },
    ),
  );
}

/**
 * Returns problems with secrets and variables whose environment variables differ only in capital letters, because
 * CI treats them as the same, and one would get the value of the other.
 */
function findEqualVariables(inputs: CiSecret[]): Diagnostic[] {
  const byVariable = new Map<string, CiSecret>();
  return inputs.flatMap((input) => {
    const variable = input.env.toUpperCase();
    const firstInput = byVariable.get(variable);
    if (!firstInput) {
      byVariable.set(variable, input);
      return [];
    }
    return [
      problem(
        'init/ci-name',
        `${quoted(firstInput.name)} and ${quoted(input.name)} are read from ${firstInput.env} and ${input.env}, which CI treats as the same name`,
        { hint: 'names are not case-sensitive there: rename one of them' },
      ),
    ];
  });
}
