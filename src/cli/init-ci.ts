/*
 * `trueup init --ci`: asks before it changes the YAML or moves ledgers, writes the CI files, and lists the steps that remain. With `--check` it
 * writes nothing and verifies the steps.
 */
import { createCiReader } from '../app/create-ci-reader.ts';
import { type CiPreparation, carryOutCiEdits, findCiEdits } from '../app/setting-up-ci.ts';
import { checkCiSteps } from '../ci/check-steps.ts';
import { formatCheckedSteps, formatCiWork } from '../ci/ci-text.ts';
import { planCiFiles, writeCiFiles } from '../ci/ci-work.ts';
import { type CiOptions, inspectRepository } from '../ci/inspect-repository.ts';
import type { CiReader } from '../ci/inspect-single-stack.ts';
import { type CiEdits, describeEdits, describeUngrouped, hasEdits } from '../ci/plan-edits.ts';
import { writeSecretForms } from '../ci/secret-forms.ts';
import type { Provider } from '../kind/provider.ts';
import { problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { cleanLine, count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';

/** The options of `init --ci`, with the code host. */
export type InitCiOptions = CiOptions & { ci: 'github' | 'gitlab'; color?: boolean };

/** The means of `init --ci` that the command has. `sample`: the first configuration; `writeHome`: writes `.trueup` beside it. */
interface InitCiContext {
  provider: Provider;
  run: CommandRun;
  sample: string;
  writeHome(): Promise<void>;
}

/**
 * Runs `init --ci`: changes the YAML and moves ledgers where CI needs that (`edits`), if the user agrees, and writes the workflows. With
 * `--check` it only reports which steps are open. If the user declines, writes nothing; without a terminal, writes the workflows and names
 * the edits as remaining work. Throws `Problems` before anything is written if no workflow fits the repository with the edits.
 */
export async function initCi(options: InitCiOptions, context: InitCiContext): Promise<void> {
  const { provider, run, sample } = context;
  const terminal = terminalFor(run, options);
  const reader = createCiReader(provider, run);
  const edits = await findCiEdits(options, sample, reader, terminal);
  if (options.check) return reportSteps(options, edits, reader, terminal);
  // The workflows depend on the edited YAML, so its obstacles are found before it is written.
  raiseErrors((await planCiFiles(options, edits.factsAfter, run.host)).obstacles);
  const agreement = await askAboutEdits(edits, options, terminal);
  if (agreement === 'no') return;
  const isEdited = agreement === 'yes';
  if (isEdited) await makeEdits(edits, provider, terminal);
  // Read again after the edits, because somebody else may have changed the files while a person answered.
  const facts = isEdited ? await inspectRepository(options, run.host, sample, reader) : edits.facts;
  const work = await planCiFiles(options, facts, run.host);
  raiseErrors(work.obstacles);
  // A repository without a configuration gets the sample, and `.trueup` beside it.
  if (work.facts.isFresh) await context.writeHome();
  await writeCiFiles(work);
  const changed = isEdited ? edits.files.map(({ name }) => name) : [];
  const remaining = agreement === 'later' ? edits : undefined;
  terminal.out(formatCiWork(work, changed, { remaining, ungrouped: describeUngrouped(edits) }, options.ci));
}

/** Prints for `init --ci --check` which steps are done, and sets the exit code if one is open. Writes nothing. */
async function reportSteps(
  options: InitCiOptions,
  edits: CiPreparation,
  reader: CiReader,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  const work = await planCiFiles(options, edits.facts, run.host);
  const steps = await checkCiSteps(work, { edits, reader, codeHost: options.ci }, run.host);
  terminal.out(formatCheckedSteps(steps));
  if (steps.some(({ state }) => state === 'open')) run.exitCode = exitCodes.failed;
}

/**
 * Changes the YAML and moves ledgers for `init --ci`, after the user has agreed, and prints the moved ledgers. If it groups secrets (many
 * secrets become the members of one JSON secret, because a code host keeps only some), writes a form for each group, to fill in by hand.
 */
async function makeEdits(edits: CiPreparation, provider: Provider, terminal: Terminal): Promise<void> {
  for (const line of await carryOutCiEdits(edits, { port: terminal, provider }))
    terminal.say(cleanLine(`Moved ${line}.`));
  const forms = await writeSecretForms(edits.groups, edits.facts.stackFolder, terminal.run.host);
  for (const { name, members } of forms)
    terminal.say(cleanLine(`Wrote ${name}, a form for ${count(members, 'member')} without values.`));
}

/**
 * Asks if `init --ci` may change the YAML and move ledgers, unless `--yes` says so or there is nothing to ask (`none`). After `no` it fails and writes
 * nothing. `later`: there is no terminal to ask, so only the workflows are written, and the edits remain a step to do. Throws `Problems` instead if CI
 * could not keep the secrets without the edits.
 */
async function askAboutEdits(
  edits: CiEdits,
  { ci, yes }: InitCiOptions,
  terminal: Terminal,
): Promise<'yes' | 'no' | 'later' | 'none'> {
  if (!hasEdits(edits)) return 'none';
  if (yes) return 'yes';
  const lines = describeEdits(edits).map(cleanLine);
  const message = `init --ci ${ci} has to change the configuration first, and there is no terminal to ask`;
  const unattended = problem('init/unattended', [message, ...lines].join('\n'), {
    hint: `run \`trueup init --ci ${ci} --yes\`; nothing was changed`,
  });
  // Without groups of secrets (several in one JSON secret) the code host could not keep them all, so the workflows would not work.
  const needsGroups = edits.groups.length > 0;
  if (!terminal.canAsk) return needsGroups ? raise(unattended) : 'later';
  const question = [
    'This changes what is there already:',
    ...lines.map((line) => `- ${line}`),
    'Go on?',
  ].join('\n');
  return (await isYes(terminal, { question, unattended })) ? 'yes' : 'no';
}
