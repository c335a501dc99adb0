/**
 * Decides what a configuration may read outside of the YAML: environment variables, files, commands and secrets of live objects. Also
 * decides whether the ledger may be where the YAML says.
 *
 * A configuration can come from a pull request, so it must not decide this itself. Some sources are always allowed (TRUEUP_VAR_*, files
 * that git tracks). Others need a flag, an environment variable, or the consent of the person at the terminal. The consent is remembered.
 */

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Tracking } from '../../git/tracking.ts';
import type { Address } from '../../model/address.ts';
import { shellWord } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { isInside, pathFrom } from '../../paths.ts';
import { findProgram } from '../../programs/find-program.ts';
import { type Allowances, nothingAllowed } from './allowances.ts';
import { commandVerdict } from './command-pattern.ts';
import type { PermissionMemory } from './memory.ts';
import { envVerdict, type SourceRequest, type SourceVerdict } from './verdict.ts';

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
  judge(requests: SourceRequest[], stack: string): Promise<SourceVerdict[]>;
  /**
   * Returns the name of a file for messages and the ledger: relative to the root of its repository, independent of the working directory.
   */
  nameOf(file: string, folder: string): Promise<string>;
  /** Decides on a command that a resource names in `$secretTo`: it receives a secret. */
  judgeCommand(command: string[]): Promise<SourceVerdict>;
  /** Returns the flags of the operator that have not allowed anything so far. */
  unusedFlags(): string[];
}

/**
 * Creates the object that decides what a configuration may read outside of the YAML (environment variables, files, commands): by the flags
 * `--allow-*`, by git, by remembered permissions, and by asking the person at the terminal. Used for each command that loads a
 * configuration.
 */
export function openSources(options: SourcesOptions): Sources {
  const judge = new SourceJudge(options);
  // Closures, because callers pass single functions on.
  return {
    judge: (requests, stack) => judge.judge(requests, stack),
    nameOf: (file, folder) => judge.nameOf(file, folder),
    judgeCommand: (command) => judge.judgeCommand(options.cwd, command),
    unusedFlags: (options.allowances ?? nothingAllowed).unusedFlags,
  };
}

/** A source that a flag or the person could allow, but that is not allowed yet. */
interface RefusedSource {
  /** The index of the request in the call of `judge`. */
  index: number;
  request: SourceRequest;
  verdict: RefusedVerdict & { flag: string };
  /** The repository of the configuration: permissions are remembered for it. */
  repository: string;
}

/** Decides on sources. Caches work trees and programs, because looking for them takes time. */
class SourceJudge {
  readonly #options: SourcesOptions;
  readonly #allowances: Allowances;
  readonly #tracking: Required<Tracking>;
  readonly #workTrees = new Map<string, Promise<string | undefined>>();
  readonly #programs = new Map<string, ReturnType<typeof findProgram>>();

  /**
   * Creates the object that decides which environment variables, files and programs a configuration may read,
   * because it may come from a pull request. `tracking` finds the files that git tracks, and the files in the
   * user's work tree for those of a commit; without it, no file counts as tracked. Without `allowances` (the
   * flags `--allow-*`), only sources that need no permission may be read.
   */
  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#allowances = options.allowances ?? nothingAllowed;
    this.#tracking = {
      tracked: async (root, files) => options.tracking?.tracked(root, files) ?? new Set(),
      workTreeOf: (folder) => this.#workTreeOf(folder),
      toWorkTree: (file) => options.tracking?.toWorkTree?.(file) ?? file,
    };
  }

  /**
   * Returns the name of a file for messages and the ledger. It is relative to the root of the repository, so that it is the same in every
   * checkout. Files outside of the repository keep their absolute path.
   */
  async nameOf(file: string, folder: string): Promise<string> {
    const root = await this.#repositoryOf(folder);
    const realFolder = await realpath(folder).catch(() => folder);
    const absolutePath = path.resolve(realFolder, file);
    if (!isInside(absolutePath, root)) return absolutePath;
    return pathFrom(root, absolutePath);
  }

  /**
   * Decides which sources a configuration may read: environment variables, files and commands outside of the
   * YAML. It may come from a pull request, so each needs permission. Returns a verdict for each request, in
   * order. What no flag allows may be allowed by an earlier answer of the person at the terminal, or by
   * asking now, once for all. `stack`: the name of the stack as it is written, for which answers are
   * remembered.
   */
  async judge(requests: SourceRequest[], stack: string): Promise<SourceVerdict[]> {
    const { ask } = this.#options;
    const verdicts = await this.#judgeByRules(requests);
    const refusals = await this.#refusalsIn(requests, verdicts);
    const remembered = await this.#rememberedOf(refusals, stack);
    const pending = refusals.filter((refusal) => !remembered.has(refusal) && !refusal.request.skipsPrompt);
    const prompts = pending.map(({ request, verdict: { flag } }) => ({ asked: request, flag }));
    const isConsented = prompts.length > 0 && ask !== undefined && (await ask(prompts));
    if (isConsented) await this.#remember(pending, stack);
    for (const { index, verdict } of [...remembered, ...(isConsented ? pending : [])])
      verdicts[index] = toAllowed(verdict);
    return verdicts;
  }

  /**
   * Returns the refused sources (environment variables, files and commands that a configuration wants to read) that a flag or the person at
   * the terminal could allow, each with its repository, because answers are remembered for a repository. For all others it makes no sense
   * to ask. `verdicts`: those of the requests, by index.
   */
  async #refusalsIn(requests: SourceRequest[], verdicts: SourceVerdict[]): Promise<RefusedSource[]> {
    const refusals = requests.map(async (request, index): Promise<RefusedSource[]> => {
      const verdict = verdicts[index]!;
      if (!needsPermission(verdict)) return [];
      const repository = this.#tracking.toWorkTree(await this.#repositoryOf(request.folder));
      return [{ index, request, verdict, repository }];
    });
    return (await Promise.all(refusals)).flat();
  }

  /**
   * Returns those of the refused sources (environment variables, files and commands of a configuration) that
   * the person at the terminal allowed in an earlier run, so that the person is not asked again.
   */
  async #rememberedOf(refusals: RefusedSource[], stack: string): Promise<Set<RefusedSource>> {
    const { memory } = this.#options;
    const remembered = new Set<RefusedSource>();
    if (!memory) return remembered;
    for (const [repository, ofRepository] of groupBy(refusals, (refusal) => refusal.repository)) {
      const keys = await memory.allowedSources(repository, stack);
      for (const refusal of ofRepository) if (keys.has(memoryKeyOf(refusal))) remembered.add(refusal);
    }
    return remembered;
  }

  /**
   * Records the sources (environment variables, files and commands of a configuration) that the person at the
   * terminal has just allowed, so that a later run does not ask again. They are kept by repository and stack.
   */
  async #remember(consented: RefusedSource[], stack: string): Promise<void> {
    let memoryFile: string | undefined;
    for (const [repository, ofRepository] of groupBy(consented, (source) => source.repository))
      memoryFile = await this.#options.memory?.remember(repository, stack, ofRepository.map(memoryKeyOf));
    this.#options.onRemembered?.(memoryFile);
  }

  /**
   * Decides on requests to read environment variables, files and commands, to copy secrets of live objects (`live`), and to keep the ledger
   * at a place of the YAML (`ledger`), by flags and git alone, before anybody is asked. Returns the verdicts in the order of the requests.
   * Git is asked once for all files, because each call takes time.
   */
  async #judgeByRules(requests: SourceRequest[]): Promise<SourceVerdict[]> {
    const { cwd, reserved = [] } = this.#options;
    const allowances = this.#allowances;
    const files = requests.flatMap(({ origin, folder }) =>
      'file' in origin ? [{ file: origin.file, folder }] : [],
    );
    const rules = {
      cwd,
      tracking: this.#tracking,
      globs: allowances.files,
      noteMatch: (glob: string) => allowances.noteUse(`--allow-files ${glob}`),
      reserved,
    };
    const fileVerdicts =
      files.length > 0 ? await (await import('./file-verdict.ts')).judgeFiles(files, rules) : [];
    return Promise.all(
      requests.map(({ origin, use, folder }) => {
        if ('live' in origin) return liveVerdict(origin.live, allowances);
        if ('ledger' in origin) return this.#judgeLedger(folder, origin.ledger);
        if ('env' in origin) return envVerdict(origin.env, use, allowances);
        if ('command' in origin) return this.judgeCommand(folder, origin.command);
        // The verdicts on files are in the order of their requests.
        return fileVerdicts.shift()!;
      }),
    );
  }

  /**
   * Decides whether a command that a configuration file in `folder` names may run to read a secret. Its
   * program must lie outside the repositories of that folder and of the working directory, because a pull
   * request could bring its own.
   */
  async judgeCommand(folder: string, command: string[]): Promise<SourceVerdict> {
    const repositories = [await this.#repositoryOf(folder), await this.#repositoryOf(this.#options.cwd)];
    // Without a repository, `/` can be the folder. Programs outside of it do not exist, so it is ignored.
    const outside = repositories.filter((root) => root !== path.parse(root).root);
    return commandVerdict(command, await this.#findProgram(command[0]!, outside), this.#allowances);
  }

  /** Decides whether the ledger may be kept at the place that a file in `folder` names. */
  async #judgeLedger(folder: string, place: string): Promise<SourceVerdict> {
    const { judgeLedgerPlace } = await import('./ledger-verdict.ts');
    return judgeLedgerPlace(place, folder, await this.#repositoryOf(folder));
  }

  /**
   * Finds the program of a command that a configuration names, on the PATH or at a path; looks for each only
   * once. `outside`: folders (repositories) whose programs are ignored, because they could come from a pull
   * request.
   */
  #findProgram(name: string, outside: string[]): ReturnType<typeof findProgram> {
    const key = JSON.stringify([name, outside]);
    const program = this.#programs.get(key) ?? findProgram(name, { env: this.#options.env, outside });
    this.#programs.set(key, program);
    return program;
  }

  /** Returns the repository that contains a folder, or the folder itself if there is none. */
  async #repositoryOf(folder: string): Promise<string> {
    return (await this.#workTreeOf(folder)) ?? (await realpath(folder).catch(() => folder));
  }

  /**
   * Returns the root of the git work tree that contains a folder; undefined if none does. Cached, because
   * each look-up runs git.
   */
  #workTreeOf(folder: string): Promise<string | undefined> {
    const workTree =
      this.#workTrees.get(folder) ?? this.#options.tracking?.workTreeOf(folder) ?? Promise.resolve(undefined);
    this.#workTrees.set(folder, workTree);
    return workTree;
  }
}

/** Decides whether the secrets of an object that the stack does not own may be copied: the operator must pass `--allow-live`. */
const liveVerdict = (address: Address, { live }: Allowances): SourceVerdict =>
  live(address)
    ? { allowed: true }
    : { allowed: false, message: `${address} is not allowed`, flag: `--allow-live ${shellWord(address)}` };

type RefusedVerdict = Extract<SourceVerdict, { allowed: false }>;

/** True if a flag could allow a refused source, so that the person may be asked for it. */
const needsPermission = (verdict: SourceVerdict): verdict is RefusedVerdict & { flag: string } =>
  !verdict.allowed && verdict.flag !== undefined;

/** Returns the verdict for a refused source after the person has allowed it. */
const toAllowed = ({ path }: RefusedVerdict): SourceVerdict => ({
  allowed: true,
  path,
});

/**
 * Returns the text under which the person's permission for a source is remembered: its use and the source,
 * such as `secret env DATABASE_URL`. The same source has the same key in every run, so that the person is
 * asked once.
 */
function memoryKeyOf({ request: { use, origin }, verdict }: RefusedSource): string {
  if ('env' in origin) return `${use} env ${origin.env}`;
  if ('live' in origin) return `${use} live ${origin.live}`;
  if ('ledger' in origin) return `ledger ${verdict.key}`;
  return 'file' in origin ? `${use} file ${verdict.key}` : `${use} command ${JSON.stringify(origin.command)}`;
}
