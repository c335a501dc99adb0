import path from 'node:path';
import type { CiFile, CiRepository } from '../ci/repository.ts';
import { type Configuration, load } from '../config/load.ts';
import { configurationsBelow, defaultIn, workspaceFile } from '../config/workspace.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { count } from '../report/count.ts';
import type { Run } from './host.ts';
import { loadOptions, sourcesFor } from './load-configuration.ts';

interface Place {
  /** The working directory, and the folder of the work tree around it: real paths. */
  here: string;
  top: string;
  /** A path from the top, with `/`. */
  inTree(file: string): string;
  /** The configuration that is written where there is none. */
  fresh: string;
}

interface Found {
  looks: Configuration[];
  stacks: CiRepository['stacks'];
  files: CiFile[];
  notes: string[];
  /** True if there is no configuration yet. */
  isFresh?: true;
}

/**
 * What the configuration in a folder without a workspace says; with stages, each of them, and the workspace that plans them together.
 * Throws `Problems` where there is none here, and some elsewhere.
 */
export async function oneStack(
  provider: Provider,
  run: Run,
  { here, top, inTree, fresh }: Place,
): Promise<Found> {
  const name = await defaultIn(here, '');
  const others = (await configurationsBelow(top)).filter((one) => one !== (inTree(here) || '.'));
  if (name === undefined && others.length > 0) throw new Problems([elsewhere(others)]);
  const sources = sourcesFor({}, run.host);
  const options = loadOptions(provider, name === undefined ? {} : { file: [name] }, run);
  const lookAt = (stage?: string) =>
    load({
      ...options,
      ...(name === undefined ? { text: fresh } : {}),
      ...(stage === undefined ? {} : { stage }),
      sources,
    });
  const look = await lookAt();
  const file = inTree(path.join(here, name ?? 'trueup.yaml'));
  const notes = others.length === 0 ? [] : [`These workflows are only about ${file}. ${otherStacks(others)}`];
  if (name === undefined)
    return { looks: [look], stacks: { file }, files: [{ path: file, text: fresh }], notes, isFresh: true };
  if (look.stages.length === 0) return { looks: [look], stacks: { file }, files: [], notes };
  const folder = inTree(here);
  return {
    looks: await Promise.all(look.stages.map((stage) => lookAt(stage))),
    stacks: { workspace: folder },
    files: [{ path: path.posix.join(folder, workspaceFile), text: 'stacks: [.] # with all its stages\n' }],
    notes,
  };
}

const listed = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

const otherStacks = (others: string[]): string =>
  `${count(others.length, 'other configuration')} (${others.slice(0, 5).join(', ')}): list all stacks in a ${workspaceFile} to have them planned together.`;

const elsewhere = (others: string[]) =>
  problem(
    'init/elsewhere',
    `there is no configuration in this folder, and ${others.length === 1 ? 'one' : `${others.length}`} elsewhere in the repository`,
    {
      hint:
        others.length === 1
          ? `run this in the folder ${others[0]}`
          : `list them in ${workspaceFile} at the top of the repository, and run this there: \`stacks: [${listed(others.slice(0, 5))}]\``,
    },
  );
