import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Tracking } from '../../git/tracking.ts';
import { isInside } from '../../programs/find-program.ts';
import { type Allowances, nothingAllowed } from './allowances.ts';
import { commandVerdict, Programs } from './command-verdict.ts';
import { envVerdict } from './env-verdict.ts';
import { liveVerdict } from './live-verdict.ts';
import type { Memory } from './memory.ts';
import type { SourceRequest, Verdict } from './verdict.ts';

type EnvironmentValues = Record<string, string | undefined>;

export interface SourcesOptions {
  env: EnvironmentValues;
  cwd: string;
  /** Default: nothing but what is free. */
  allowances?: Allowances;
  /** Default: nothing is tracked. */
  tracking?: Tracking;
  /** Files of trueup that no allowance opens, for example that of the token. */
  reserved?: string[];
  memory?: Memory;
  /** Asks the person at the terminal for these at once; true is a yes. */
  ask?(asked: { asked: SourceRequest; flag: string }[]): Promise<boolean>;
  /** Told where the yes is kept, if anywhere. */
  onRemembered?(place: string | undefined): void;
}

/**
 * Decides what a configuration may read: from flags, the environment and what the operator once allowed, never from YAML. Nothing
 * else opens a file, a variable of the environment or a program because the YAML names it.
 */
export interface Sources {
  /** A verdict for each, in order. `stack`: the name of the stack as it is written. */
  judge(asked: SourceRequest[], stack: string): Promise<Verdict[]>;
  /** A file as it is called everywhere: from the root of its repository, whatever folder trueup was started in. */
  nameOf(file: string, folder: string): Promise<string>;
  /** The program of a command that is given a secret; it is named by the resource, not by `secrets:`. */
  judgeCommand(command: string[]): Promise<Verdict>;
  /** The flags of the operator that allowed nothing so far. */
  unusedFlags(): string[];
}

/** Opens the one door. */
export function openSources(options: SourcesOptions): Sources {
  const { env, cwd, allowances = nothingAllowed, memory, ask } = options;
  const tracking = options.tracking ?? { workTreeOf: async () => undefined, tracked: async () => new Set() };
  const workTrees = new Map<string, Promise<string | undefined>>();
  const workTreeOf = (folder: string) => {
    const workTree = workTrees.get(folder) ?? tracking.workTreeOf(folder);
    workTrees.set(folder, workTree);
    return workTree;
  };
  const repositoryOf = async (folder: string) =>
    (await workTreeOf(folder)) ?? (await realpath(folder).catch(() => folder));
  const programs = new Programs(env);

  const judgeCommand = async (command: string[], folder: string): Promise<Verdict> => {
    // Without git the root of all files is a place like any other.
    const outside = [await repositoryOf(folder), await repositoryOf(cwd)].filter(
      (root) => root !== path.parse(root).root,
    );
    return commandVerdict(command, await programs.find(command[0]!, outside), allowances);
  };

  const judgeNow = async (asked: SourceRequest[]): Promise<Verdict[]> => {
    const files = asked.flatMap(({ origin, folder }) =>
      'file' in origin ? [{ file: origin.file, folder }] : [],
    );
    const rules = {
      cwd,
      tracking: { ...tracking, workTreeOf },
      globs: allowances.files,
      noteMatch: (glob: string) => allowances.noteUse(`--allow-files ${glob}`),
      reserved: options.reserved ?? [],
    };
    const verdicts =
      files.length > 0 ? await (await import('./file-verdict.ts')).judgeFiles(files, rules) : [];
    return Promise.all(
      asked.map((one) => {
        if ('live' in one.origin) return liveVerdict(one.origin.live, allowances);
        if ('env' in one.origin) return envVerdict(one.origin.env, one.use, allowances);
        return 'file' in one.origin ? verdicts.shift()! : judgeCommand(one.origin.command, one.folder);
      }),
    );
  };

  return {
    async nameOf(file, folder) {
      const root = await repositoryOf(folder);
      const real = await realpath(folder).catch(() => folder);
      const whole = path.resolve(real, file);
      return isInside(whole, root) ? path.relative(root, whole).split(path.sep).join('/') : whole;
    },
    judgeCommand: (command) => judgeCommand(command, cwd),
    unusedFlags: allowances.unusedFlags,
    async judge(asked, stack) {
      const verdicts = await judgeNow(asked);
      const repositories = await Promise.all(
        asked.map(({ folder }, index) => (needsPermission(verdicts[index]!) ? repositoryOf(folder) : '')),
      );
      const remembered = new Map<string, ReadonlySet<string>>();
      const open: number[] = [];
      for (const [at, verdict] of verdicts.entries()) {
        if (!needsPermission(verdict)) continue;
        const repository = repositories[at]!;
        if (!remembered.has(repository))
          remembered.set(repository, (await memory?.allowed(repository, stack)) ?? new Set());
        if (remembered.get(repository)!.has(memoryKeyOf(asked[at]!, verdict)))
          verdicts[at] = toAllowed(verdict);
        else if (!asked[at]!.skipsPrompt) open.push(at);
      }
      if (open.length === 0 || !ask) return verdicts;
      const wanted = open.map((index) => ({
        asked: asked[index]!,
        flag: (verdicts[index] as Refusal).flag!,
      }));
      if (!(await ask(wanted))) return verdicts;
      let place: string | undefined;
      for (const repository of new Set(open.map((index) => repositories[index]!))) {
        const own = open.filter((index) => repositories[index] === repository);
        const keys = own.map((index) => memoryKeyOf(asked[index]!, verdicts[index] as Refusal));
        place = await memory?.remember(repository, stack, keys);
      }
      options.onRemembered?.(place);
      for (const position of open) verdicts[position] = toAllowed(verdicts[position] as Refusal);
      return verdicts;
    },
  };
}

type Refusal = Extract<Verdict, { allowed: false }>;

const needsPermission = (verdict: Verdict): verdict is Refusal & { flag: string } =>
  !verdict.allowed && verdict.flag !== undefined;

const toAllowed = ({ path }: Refusal): Verdict => ({
  allowed: true,
  ...(path === undefined ? {} : { path }),
});

/** As a source is remembered: what is read, and whether it is shown. */
function memoryKeyOf({ use, origin }: SourceRequest, { key }: Refusal): string {
  if ('env' in origin) return `${use} env ${origin.env}`;
  if ('live' in origin) return `${use} live ${origin.live}`;
  return 'file' in origin ? `${use} file ${key}` : `${use} command ${JSON.stringify(origin.command)}`;
}
