/**
 * Decides what a configuration may read outside of the YAML: environment variables, files, commands and secrets of live objects.
 *
 * A configuration can come from a pull request, so it must not decide this itself. Some sources are always allowed (TRUEUP_VAR_*, files
 * that git tracks). Others need a flag, an environment variable, or the consent of the person at the terminal. The consent is remembered.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Tracking } from '../../git/tracking.ts';
import { isInside } from '../../programs/find-program.ts';
import { type Allowances, nothingAllowed } from './allowances.ts';
import { commandVerdict, Programs } from './command-verdict.ts';
import { envVerdict } from './env-verdict.ts';
import { liveVerdict } from './live-verdict.ts';
import type { PermissionMemory } from './memory.ts';
import type { SourceRequest, Verdict } from './verdict.ts';

type EnvironmentValues = Record<string, string | undefined>;

/** On what the decisions depend. */
export interface SourcesOptions {
  env: EnvironmentValues;
  cwd: string;
  /** The sources that the operator allows. Default: only those that are always allowed. */
  allowances?: Allowances;
  /** Default: no file is tracked. */
  tracking?: Tracking;
  /** Files of trueup that can never be read, for example that with the token. */
  reserved?: string[];
  memory?: PermissionMemory;
  /** Asks the person at the terminal for all these sources at once. Returns true if they may be read. Absent: there is no terminal. */
  ask?(prompts: { asked: SourceRequest; flag: string }[]): Promise<boolean>;
  /** Called after a yes, with the file in which it is kept; undefined if it is not kept. */
  onRemembered?(memoryFile: string | undefined): void;
}

/**
 * Decides what a configuration may read. All code that opens a file, an environment variable or a program because the YAML names it must
 * ask here.
 */
export interface Sources {
  /** Returns a verdict for each request, in order. May ask the person. `stack`: the name of the stack as it is written. */
  judge(requests: SourceRequest[], stack: string): Promise<Verdict[]>;
  /**
   * Returns the name of a file for messages and the ledger: relative to the root of its repository, independent of the working directory.
   */
  nameOf(file: string, folder: string): Promise<string>;
  /** Decides on a command that a resource names in `$secretTo`: it receives a secret. */
  judgeCommand(command: string[]): Promise<Verdict>;
  /** Returns the flags of the operator that have not allowed anything so far. */
  unusedFlags(): string[];
}

/**
 * Creates the object that decides what a configuration may read outside of the YAML: by the flags of the operator, by git, by remembered
 * permissions, and by asking the person at the terminal. Used for each command that loads a configuration.
 */
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
    // Without a repository, `/` can be the folder. Programs outside of it do not exist, so it is ignored.
    const outside = [await repositoryOf(folder), await repositoryOf(cwd)].filter(
      (root) => root !== path.parse(root).root,
    );
    return commandVerdict(command, await programs.find(command[0]!, outside), allowances);
  };

  /** Decides by flags and git alone. */
  const judgeByRules = async (requests: SourceRequest[]): Promise<Verdict[]> => {
    const files = requests.flatMap(({ origin, folder }) =>
      'file' in origin ? [{ file: origin.file, folder }] : [],
    );
    const rules = {
      cwd,
      tracking: { ...tracking, workTreeOf },
      globs: allowances.files,
      noteMatch: (glob: string) => allowances.noteUse(`--allow-files ${glob}`),
      reserved: options.reserved ?? [],
    };
    const fileVerdicts =
      files.length > 0 ? await (await import('./file-verdict.ts')).judgeFiles(files, rules) : [];
    return Promise.all(
      requests.map((request) => {
        if ('live' in request.origin) return liveVerdict(request.origin.live, allowances);
        if ('env' in request.origin) return envVerdict(request.origin.env, request.use, allowances);
        return 'file' in request.origin
          ? fileVerdicts.shift()!
          : judgeCommand(request.origin.command, request.folder);
      }),
    );
  };

  return {
    async nameOf(file, folder) {
      const root = await repositoryOf(folder);
      const realFolder = await realpath(folder).catch(() => folder);
      const absolutePath = path.resolve(realFolder, file);
      if (!isInside(absolutePath, root)) return absolutePath;
      return path.relative(root, absolutePath).split(path.sep).join('/');
    },
    judgeCommand: (command) => judgeCommand(command, cwd),
    unusedFlags: allowances.unusedFlags,
    async judge(requests, stack) {
      const verdicts = await judgeByRules(requests);
      const repositories = await Promise.all(
        requests.map(({ folder }, index) => (needsPermission(verdicts[index]!) ? repositoryOf(folder) : '')),
      );
      const remembered = new Map<string, ReadonlySet<string>>();
      const undecided: number[] = [];
      for (const [index, verdict] of verdicts.entries()) {
        if (!needsPermission(verdict)) continue;
        const repository = repositories[index]!;
        if (!remembered.has(repository))
          remembered.set(repository, (await memory?.allowedSources(repository, stack)) ?? new Set());
        if (remembered.get(repository)!.has(memoryKeyOf(requests[index]!, verdict)))
          verdicts[index] = toAllowed(verdict);
        else if (!requests[index]!.skipsPrompt) undecided.push(index);
      }
      if (undecided.length === 0 || !ask) return verdicts;
      const prompts = undecided.map((index) => ({
        asked: requests[index]!,
        flag: (verdicts[index] as RefusedVerdict).flag!,
      }));
      if (!(await ask(prompts))) return verdicts;
      let memoryFile: string | undefined;
      for (const repository of new Set(undecided.map((index) => repositories[index]!))) {
        const indexes = undecided.filter((index) => repositories[index] === repository);
        const keys = indexes.map((index) => memoryKeyOf(requests[index]!, verdicts[index] as RefusedVerdict));
        memoryFile = await memory?.remember(repository, stack, keys);
      }
      options.onRemembered?.(memoryFile);
      for (const index of undecided) verdicts[index] = toAllowed(verdicts[index] as RefusedVerdict);
      return verdicts;
    },
  };
}

type RefusedVerdict = Extract<Verdict, { allowed: false }>;

/** True if a flag could allow a refused source, so that the person may be asked for it. */
const needsPermission = (verdict: Verdict): verdict is RefusedVerdict & { flag: string } =>
  !verdict.allowed && verdict.flag !== undefined;

/** Returns the verdict for a refused source after the person has allowed it. */
const toAllowed = ({ path }: RefusedVerdict): Verdict => ({
  allowed: true,
  ...(path === undefined ? {} : { path }),
});

/** Returns the key under which permission for a source is remembered: the use and the source. */
function memoryKeyOf({ use, origin }: SourceRequest, { key }: RefusedVerdict): string {
  if ('env' in origin) return `${use} env ${origin.env}`;
  if ('live' in origin) return `${use} live ${origin.live}`;
  return 'file' in origin ? `${use} file ${key}` : `${use} command ${JSON.stringify(origin.command)}`;
}
