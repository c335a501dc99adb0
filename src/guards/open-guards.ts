/*
 * The guards of the operator: a file with rules that refuse or delay plans (`--guards`), and programs that judge plans (`--check`). The
 * author of a pull request must not be able to change them. So in the run of a pull request no guards and programs are taken from the
 * checkout that is judged.
 */

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { noProgramMessage, splitShellWords } from '../config/sources/command-pattern.ts';
import { readRegularFile } from '../config/sources/regular-file.ts';
import { GitError } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { type Host, resolvePath } from '../host.ts';
import { normalAddressGlob } from '../kind/address-spelling.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { findingCodes } from '../kind/meaning.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem, raise } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import { asksForNothing } from '../model/plan.ts';
import { findProgram } from '../programs/find-program.ts';
import { planJson } from '../report/plan-json.ts';
import { jsonText } from '../report/show.ts';
import type { PlanJudge } from '../run/session.ts';
import { type Guards, parseGuards } from './guards.ts';
import { evaluateGuards } from './judge.ts';
import { type CheckProgram, runCheck } from './run-check.ts';

/** The options that name guards. */
export interface GuardOptions {
  /** A file, or `REF:FILE` for a file in a commit. */
  guards?: string;
  /** Commands of programs that judge plans. */
  check?: string[];
  /** The folder where paths of both start; by default the working directory. */
  guardsFrom?: string;
}

/** The run whose plans are judged. */
interface JudgedRun {
  host: Host;
  /** The absolute paths of the files of the configuration. */
  files: string[];
  masking: Masking;
  /** True if the plans are applied, false if they are only shown. */
  writes: boolean;
  /** True if the configuration is that of a pull request, whose author must not choose the guards. */
  isReview: boolean;
}

/**
 * Returns guards (the operator's rules for plans) whose addresses (`at`) have their normal spelling, because the addresses of a plan have
 * it, and the two are compared as texts.
 */
function spellAddresses(guards: Guards, kinds: Kinds): Guards {
  const spell = <R extends { at?: string | string[] | undefined }>(rule: R): R =>
    rule.at === undefined
      ? rule
      : { ...rule, at: [rule.at].flat().map((glob) => normalAddressGlob(glob, kinds)) };
  return { ...guards, deny: guards.deny.map(spell), freeze: guards.freeze.map(spell) };
}

/**
 * Opens the operator's guards, which judge every plan of a run that sends or adopts anything: the file of
 * `--guards` (or `TRUEUP_GUARDS`) and the programs of `--check`. Undefined if there are none. Throws
 * `Problems` if the file cannot be read, if a program is not found, or if one of them is in the checkout of
 * the pull request that it would judge.
 */
export async function openGuards(
  provider: Provider,
  options: GuardOptions,
  { files, masking, writes, isReview, host: runHost }: JudgedRun,
): Promise<PlanJudge | undefined> {
  const host = { ...runHost, cwd: options.guardsFrom ?? runHost.cwd };
  const file = options.guards || host.env.TRUEUP_GUARDS;
  if (!file && !options.check?.length) return undefined;
  // The author of a pull request has written everything in the checkout of the configuration.
  const judgedTrees = isReview ? await workTreesOf(files) : [];
  const guards = file ? await readGuards(file, provider, host, judgedTrees) : undefined;
  const checks = await Promise.all(
    (options.check ?? []).map((command) => findCheckProgram(command, host, judgedTrees)),
  );
  const ask = createCheckRunner(host, masking);
  return {
    file: guards?.file,
    digest: guards?.digest,
    checks: checks.length > 0 ? checks.map(({ shownCommand }) => shownCommand) : undefined,
    // `formerOf`: returns the address that an object had before the renames of the plan.
    async judge(plan, formerOf) {
      if (asksForNothing(plan)) return [];
      const pace = await provider.pace();
      // Programs do not see the number of reads, so that they are asked only once about equal plans.
      const { reads: _, ...judgedPlan } = plan;
      const json = jsonText(planJson(judgedPlan, pace));
      const verdicts = await Promise.all(checks.map((check) => ask(check, json)));
      const diagnostics = guards
        ? evaluateGuards(plan, guards, { now: host.clock.now(), pace, writes, formerOf })
        : [];
      return [...diagnostics, ...verdicts.flat()];
    },
  };
}

/**
 * Returns a function which asks a `--check` program about the JSON of a plan, and returns its problems. It runs a
 * program only once for the same plan.
 */
function createCheckRunner({ cwd, env }: Host, masking: Masking) {
  const answers = new Map<string, ReturnType<typeof runCheck>>();
  return (check: CheckProgram, planText: string) => {
    const key = `${check.shownCommand}\n${planText}`;
    const mask = (text: string) => masking.mask(text);
    const answer = answers.get(key) ?? runCheck(check, planText, { cwd, env, mask });
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Reads and checks the file of `--guards`, with the operator's rules for plans. `file` may be `REF:FILE`, a file in
 * a commit. `judgedTrees`: the checkouts of a pull request, from which no guards are read, because its author could
 * change them. Throws `Problems` if the file cannot be read, is in one of them, or has faults.
 */
async function readGuards(
  file: string,
  provider: Provider,
  host: Host,
  judgedTrees: string[],
): Promise<Guards> {
  const text = isCommitPath(file)
    ? await readGuardsOfCommit(file, host, judgedTrees)
    : await readGuardsFile(file, host, judgedTrees);
  const guards = await parseGuards(file, text, {
    kinds: provider.kinds.map(({ name }) => name),
    listActions: async () => [...(await provider.actionsAndLookups()).actions.keys()],
    listFindings: async () => findingCodes(await provider.meaning()),
  });
  return spellAddresses(guards, kindsOf(provider.kinds));
}

/** True for the form `REF:FILE` of a file in a commit. `C:\guards.yaml` is a file on disk. */
const isCommitPath = (file: string): boolean => /^[^:]{2,}:./s.test(file) && !path.isAbsolute(file);

const maxGuardsBytes = 1024 * 1024;

/**
 * Reads a file of guards (the operator's rules for plans) on disk. Throws `Problems` if it cannot be read, or is in one of the judged
 * trees: the checkouts of a pull request, whose author must not choose the guards.
 */
async function readGuardsFile(file: string, host: Host, judgedTrees: string[]): Promise<string> {
  try {
    const realFile = await realpath(resolvePath(host, file));
    const content = await readRegularFile(realFile, maxGuardsBytes);
    if (!Buffer.isBuffer(content))
      throw new Error(content === 'special' ? 'it is not a file' : 'it has more than 1 MB');
    if (judgedTrees.includes(workTreeOf(path.dirname(realFile)) ?? '')) raise(judgedGuardsProblem(file));
    return content.toString('utf8');
  } catch (error) {
    if (error instanceof Problems) throw error;
    raise(unreadableGuardsProblem(file, (error as Error).message));
  }
}

/**
 * Reads a file of guards (the operator's rules for plans) from a commit, `REF:FILE`. The path starts at the top of the repository, or at
 * the current folder if it starts with a dot, as in git. Throws `Problems` if it cannot be read, or if the commit is checked out in one of
 * the judged trees (checkouts of a pull request): its author must not choose the guards.
 */
async function readGuardsOfCommit(refPath: string, host: Host, judgedTrees: string[]): Promise<string> {
  const colon = refPath.indexOf(':');
  const ref = refPath.slice(0, colon);
  const file = refPath.slice(colon + 1);
  try {
    const cwd = await realpath(host.cwd);
    const top = workTreeOf(cwd);
    const { git } = await openRepository(cwd, host.env);
    const commitOf = async (name: string) =>
      (await git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`])).trim();
    const commit = await commitOf(ref);
    const isJudged = top !== undefined && judgedTrees.includes(top) && commit === (await commitOf('HEAD'));
    if (isJudged) raise(judgedGuardsProblem(refPath));
    const pathInTree = /^\.\.?\//.test(file)
      ? path.relative(top!, path.resolve(cwd, file)).replaceAll('\\', '/')
      : file;
    return await git(['cat-file', 'blob', `${commit}:${pathInTree}`]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    raise(unreadableGuardsProblem(refPath, error.lines.join(' ')));
  }
}

const unreadableGuardsProblem = (file: string, reason: string) =>
  problem('guards/unreadable', `the guards ${file} cannot be read: ${reason}`, {
    hint: 'pass a file, or a file in a commit such as origin/main:guards.yaml (a shallow checkout must fetch that commit first); nothing is planned without guards',
  });

const judgedGuardsProblem = (file: string) =>
  problem('guards/beside', `the guards ${file} are part of the pull request that they judge`, {
    hint: 'use those of a protected branch (--guards origin/main:guards.yaml), or a file from another checkout',
  });

/**
 * Returns the real paths of the git work trees (checkouts) that contain these files of a configuration; for a file
 * outside of git, its folder. If the configuration is that of a pull request, guards and check programs in these
 * folders are refused, because its author could change them.
 */
async function workTreesOf(files: string[]): Promise<string[]> {
  const folders = await Promise.all(
    files.map((file) => realpath(path.dirname(file)).catch(() => path.dirname(file))),
  );
  return [...new Set(folders.map((folder) => workTreeOf(folder) ?? folder))];
}

/**
 * Finds the program of a `--check` command, which judges each plan. Ignores programs in `judgedTrees`, the
 * checkouts of a pull request, because its author could change them. Throws `Problems` if there is no other.
 */
async function findCheckProgram(
  shownCommand: string,
  { env, cwd }: Host,
  judgedTrees: string[],
): Promise<CheckProgram> {
  const [name, ...args] = splitShellWords(shownCommand) ?? [];
  const checkProblem = (message: string) =>
    problem('guards/check', `--check ${JSON.stringify(shownCommand)}: ${message}`, {
      hint: "a program and its arguments, for example --check 'conftest test -'",
    });
  if (!name) raise(checkProblem('there is no program'));
  const nameOrPath = /[/\\]/.test(name) ? path.resolve(cwd, name) : name;
  const program = await findProgram(nameOrPath, { env, outside: judgedTrees });
  if (program) return { shownCommand, command: [program.path, ...args] };
  const notFound = `there is no program ${JSON.stringify(name)} that can be run`;
  raise(checkProblem(judgedTrees.length > 0 ? noProgramMessage(name) : notFound));
}
