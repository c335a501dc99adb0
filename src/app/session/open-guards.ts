import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { splitShellWords } from '../../config/sources/command-pattern.ts';
import { noProgramMessage } from '../../config/sources/command-verdict.ts';
import { readRegularFile } from '../../config/sources/regular-file.ts';
import { GitError } from '../../git/git.ts';
import { openRepository } from '../../git/repository.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import { type Guards, parseGuards } from '../../guards/guards.ts';
import { evaluateGuards } from '../../guards/judge.ts';
import { type CheckProgram, runCheck } from '../../guards/run-check.ts';
import { normalAddressGlob } from '../../kind/address-spelling.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { Problems } from '../../model/diagnostic.ts';
import type { Masking } from '../../model/masking.ts';
import { asksForNothing } from '../../model/plan.ts';
import { findProgram } from '../../programs/find-program.ts';
import { jsonText } from '../../report/json-value.ts';
import { planJson } from '../../report/plan-json.ts';
import type { PlanJudge } from '../../run/session.ts';
import { type Host, pathOn } from '../host.ts';
import { isReview } from '../planning/plan-options.ts';
import { isCommitPath } from '../stack-options.ts';

export interface GuardOptions {
  guards?: string;
  check?: string[];
  /** The folder where paths of both begin; by default the working directory. */
  guardsFrom?: string;
}

interface Judging {
  host: Host;
  /** The absolute paths of the files of the configuration: in a pull request, nothing beside them is trusted. */
  files: string[];
  masking: Masking;
  writes: boolean;
}

/** Returns guards whose addresses have their normal spelling. */
function spellAddresses(guards: Guards, kinds: Kinds): Guards {
  const spell = <R extends { at?: string | string[] | undefined }>(rule: R): R =>
    rule.at === undefined
      ? rule
      : { ...rule, at: [rule.at].flat().map((glob) => normalAddressGlob(glob, kinds)) };
  return { ...guards, deny: guards.deny.map(spell), freeze: guards.freeze.map(spell) };
}

/**
 * The guards that the operator names, with `--guards` or TRUEUP_GUARDS, and `--check`; undefined where there are none. Throws `Problems` where one
 * cannot be read or found, or is what a pull request brings along itself.
 */
export async function openGuards(
  provider: Provider,
  options: GuardOptions,
  { files, masking, writes, ...given }: Judging,
): Promise<PlanJudge | undefined> {
  const host = { ...given.host, cwd: options.guardsFrom ?? given.host.cwd };
  const file = options.guards || host.env.TRUEUP_GUARDS;
  if (!file && !options.check?.length) return undefined;
  // In a pull request its author has written all that lies beside the configuration.
  const judged = isReview(host) ? await workTreesOf(files) : [];
  const guards = file
    ? spellAddresses(
        await parseGuards(
          file,
          await readGuardsFile(file, host, judged),
          provider.kinds.map(({ name }) => name),
          async () => [...(await provider.dayTwo()).actions.keys()],
        ),
        kindsOf(provider.kinds),
      )
    : undefined;
  const checks = await Promise.all(
    (options.check ?? []).map((shownCommand) => checkOf(shownCommand, host, judged)),
  );
  const answers = new Map<string, ReturnType<typeof runCheck>>();
  const ask = (check: CheckProgram, json: string) => {
    const key = `${check.shownCommand}\n${json}`;
    const answer =
      answers.get(key) ??
      runCheck(check, json, { cwd: host.cwd, env: host.env, mask: (text) => masking.mask(text) });
    answers.set(key, answer);
    return answer;
  };
  return {
    file: guards?.file,
    digest: guards?.digest,
    checks: checks.length > 0 ? checks.map(({ shownCommand }) => shownCommand) : undefined,
    async judge(plan, formerOf) {
      if (asksForNothing(plan)) return [];
      const { pace } = provider;
      // How often the account was read is no part of what is judged: an equal plan is asked about once.
      const { reads: _, ...lasting } = plan;
      const json = jsonText(planJson(lasting, pace));
      const asked = await Promise.all(checks.map((check) => ask(check, json)));
      const diagnostics = guards
        ? evaluateGuards(plan, guards, { now: host.clock.now(), pace, writes, formerOf })
        : [];
      return [...diagnostics, ...asked.flat()];
    },
  };
}

const maxGuardsBytes = 1024 * 1024;

/** The text of `FILE`, or of `REF:FILE` as git has it. */
async function readGuardsFile(given: string, host: Host, judged: string[]): Promise<string> {
  if (!isCommitPath(given)) return textIn(given, host, judged);
  const index = given.indexOf(':');
  return textAt(given.slice(0, index), given.slice(index + 1), given, host, judged);
}

async function textIn(given: string, host: Host, judged: string[]): Promise<string> {
  try {
    const real = await realpath(pathOn(host, given));
    const bytes = await readRegularFile(real, maxGuardsBytes);
    if (!Buffer.isBuffer(bytes))
      throw new Error(bytes === 'special' ? 'it is not a file' : 'it has more than 1 MB');
    if (judged.includes(workTreeOf(path.dirname(real)) ?? '')) throw guardsInConfiguration(given);
    return bytes.toString('utf8');
  } catch (error) {
    throw error instanceof Problems ? error : unreadableGuards(given, (error as Error).message);
  }
}

async function textAt(
  ref: string,
  name: string,
  given: string,
  host: Host,
  judged: string[],
): Promise<string> {
  try {
    const here = await realpath(host.cwd);
    const top = workTreeOf(here);
    const { git } = await openRepository(here, host.env);
    const commitOf = async (one: string) =>
      (await git(['rev-parse', '--verify', '--end-of-options', `${one}^{commit}`])).trim();
    const commit = await commitOf(ref);
    if (top !== undefined && judged.includes(top) && commit === (await commitOf('HEAD')))
      throw guardsInConfiguration(given);
    // As git has it: from the top, or from here with a dot in front.
    const at = /^\.\.?\//.test(name)
      ? path.relative(top!, path.resolve(here, name)).replaceAll('\\', '/')
      : name;
    return await git(['cat-file', 'blob', `${commit}:${at}`]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw unreadableGuards(given, error.lines.join(' '));
  }
}

const unreadableGuards = (given: string, why: string) =>
  new Problems('guards/unreadable', `the guards ${given} cannot be read: ${why}`, {
    hint: 'pass a file, or a file in a commit such as origin/main:guards.yaml (a shallow checkout must fetch that commit first); nothing is planned without guards',
  });

const guardsInConfiguration = (given: string) =>
  new Problems('guards/beside', `the guards ${given} are part of the pull request that they judge`, {
    hint: 'use those of a protected branch (--guards origin/main:guards.yaml), or a file from another checkout',
  });

/** The real work trees of these files. */
async function workTreesOf(files: string[]): Promise<string[]> {
  const folders = await Promise.all(
    files.map((file) => realpath(path.dirname(file)).catch(() => path.dirname(file))),
  );
  return [...new Set(folders.map((folder) => workTreeOf(folder) ?? folder))];
}

async function checkOf(shownCommand: string, { env, cwd }: Host, judged: string[]): Promise<CheckProgram> {
  const [name, ...args] = splitShellWords(shownCommand) ?? [];
  const refuse = (message: string) =>
    new Problems('guards/check', `--check ${JSON.stringify(shownCommand)}: ${message}`, {
      hint: "a program and its arguments, for example --check 'conftest test -'",
    });
  if (!name) throw refuse('there is no program');
  const given = /[/\\]/.test(name) ? path.resolve(cwd, name) : name;
  const program = await findProgram(given, { env, outside: judged });
  if (!program)
    throw refuse(
      judged.length > 0
        ? noProgramMessage(name)
        : `there is no program ${JSON.stringify(name)} that can be run`,
    );
  return { shownCommand, command: [program.path, ...args] };
}
