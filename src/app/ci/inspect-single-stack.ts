import path, { isAbsolute } from 'node:path';
import type { CiFile, CiRepository, CiSecret } from '../../ci/repository.ts';
import type { Configuration } from '../../config/configuration.ts';
import {
  findDefaultConfiguration,
  findWorkspaceFolder,
  workspaceFileName,
} from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import { originText, variableEnv } from '../../config/sources/verdict.ts';
import { quoted } from '../../config/suggest.ts';
import { findConfigurationsBelow } from '../../config/workspace.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/shell-word.ts';
import { count } from '../../report/count.ts';
import type { Run } from '../host.ts';
import { createLoadOptions } from '../session/load-configuration.ts';
import { sourcesFor } from '../session/sources-for.ts';

interface RepositoryPlace {
  /** The working directory, and the folder of the work tree around it: real paths. */
  here: string;
  top: string;
  /** A path from the top, with `/`. */
  inTree(file: string): string;
  /** The configuration that is written where there is none. */
  fresh: string;
}

interface CiFindings {
  looks: Configuration[];
  stacks: CiRepository['stacks'];
  files: CiFile[];
  notes: string[][];
  /** True if there is no configuration yet. */
  isFresh?: true;
}

/**
 * Reads the configuration in a folder without a workspace; with stages, each of them, and the workspace that plans them together.
 * Throws `Problems` where there is none here, and some elsewhere.
 */
export async function inspectSingleStack(
  provider: Provider,
  run: Run,
  { here, top, inTree, fresh }: RepositoryPlace,
): Promise<CiFindings> {
  const name = await findDefaultConfiguration(here, '');
  const others = (await findConfigurationsBelow(top)).filter(
    (configuration) => configuration !== (inTree(here) || '.'),
  );
  if (name === undefined && others.length > 0) throw new Problems([await elsewhere(top, others)]);
  const sources = sourcesFor({}, run.host);
  const options = createLoadOptions(provider, name === undefined ? {} : { file: [name] }, run);
  const lookAt = (stage?: string) =>
    load({
      ...options,
      ...(name === undefined ? { text: fresh } : {}),
      ...(stage === undefined ? {} : { stage }),
      sources,
    });
  const look = await lookAt();
  const file = inTree(path.join(here, name ?? 'trueup.yaml'));
  const notes = others.length === 0 ? [] : [notAbout(file, others)];
  if (name === undefined)
    return { looks: [look], stacks: { file }, files: [{ path: file, text: fresh }], notes, isFresh: true };
  if (look.stages.length === 0) return { looks: [look], stacks: { file }, files: [], notes };
  const folder = inTree(here);
  return {
    looks: await Promise.all(look.stages.map((stage) => lookAt(stage))),
    stacks: { workspace: folder },
    files: [
      { path: path.posix.join(folder, workspaceFileName), text: 'stacks: [.] # with all its stages\n' },
    ],
    notes,
  };
}

const quoteNames = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

const notAbout = (file: string, others: string[]): string[] => [
  `These files cover ${file} only, not ${count(others.length, 'configuration')} elsewhere: ${others.slice(0, 5).join(', ')}.`,
  `To plan all of them together, list them in ${workspaceFileName}, delete these files and run this again.`,
];

/** Says where to run this: in the folder of the one workspace or configuration, or where a workspace would list them. */
async function elsewhere(top: string, others: string[]): Promise<Diagnostic> {
  const workspaces = new Set(
    await Promise.all(others.map(async (one) => (await findWorkspaceFolder(path.join(top, one))) ?? '')),
  );
  const [workspace = ''] = workspaces;
  const only =
    workspaces.size === 1 && workspace !== ''
      ? path.relative(top, workspace) || '.'
      : others.length === 1
        ? others[0]
        : undefined;
  return problem(
    'init/elsewhere',
    `there is no configuration in this folder, but ${others.length === 1 ? 'one' : `${others.length}`} elsewhere in the repository`,
    {
      hint:
        only !== undefined
          ? `run this in that folder: cd ${shellWord(only)}`
          : `list them in ${workspaceFileName} at the root of the repository and run this there: \`stacks: [${quoteNames(others.slice(0, 5))}]\``,
    },
  );
}

/** The problems of a configuration for any reader. Nobody has to have CI's values at a desk. */
export const problemsInCi = ({ diagnostics }: Configuration): Diagnostic[] =>
  diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'var/missing');

/** The secrets that something uses and that come from the environment, each variable of it once. */
export const ciSecretsOf = (looks: Configuration[]): CiSecret[] =>
  once(
    looks.flatMap((look) =>
      usedNames(look).flatMap((name) => {
        const source = look.secrets.get(name);
        return source && 'env' in source ? [{ name, env: source.env }] : [];
      }),
    ),
  );

/** The variables that CI has to give. */
export const ciVariablesOf = (looks: Configuration[]): CiSecret[] =>
  once(
    looks.flatMap(({ missingVariables, variableOrigins }) =>
      [...missingVariables, ...variableOrigins.keys()].map((name) => ({ name, env: variableEnv(name) })),
    ),
  );

const once = (ciSecrets: CiSecret[]): CiSecret[] => [
  ...new Map(ciSecrets.map((ciSecret) => [ciSecret.env, ciSecret])).values(),
];

/** While values are missing, nobody knows which secrets are used: it may be any of them. */
function usedNames({ secrets, usedSecrets, missingVariables, notAllowed }: Configuration): string[] {
  const isWhole = missingVariables.length === 0 && notAllowed.length === 0;
  return [...(isWhole ? usedSecrets : new Set([...usedSecrets, ...secrets.keys()]))].sort();
}

/** The further needs of the default branch's jobs, in lines for people. */
export function describeOtherSources(looks: Configuration[]): string[][] {
  const found = new Map<string, string[]>();
  for (const look of looks)
    for (const name of usedNames(look)) {
      const source = look.secrets.get(name);
      if (!source || 'env' in source) continue;
      const isInside = 'file' in source && !isAbsolute(source.file) && !source.file.startsWith('..');
      if (isInside) continue;
      const what = 'file' in source ? 'a file outside of the repository' : 'a program';
      found.set(name, [
        `The secret ${quoted(name)} comes from ${what}, ${quoted(originText(source).replace(/^\w+ /, ''))}.`,
        'Provide it in the jobs that have the other secrets, and allow it there: `trueup validate` prints the flag.',
      ]);
    }
  return [...found.values()];
}
