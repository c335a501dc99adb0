/*
 * `trueup init --ci`: asks before it changes the YAML or moves ledgers, writes the CI files, and lists the steps that remain. With `--check` it
 * writes nothing and verifies the steps.
 */
import { createCiReader } from '../app/create-ci-reader.ts';
import { carryOutCiEdits, findCiEdits } from '../app/setting-up-ci.ts';
import { type CheckedStep, checkCiSteps, isStepOfInit } from '../ci/check-steps.ts';
import { type CiWork, type DescribedFile, planCiFiles, writeCiFiles } from '../ci/ci-work.ts';
import { type CiOptions, inspectRepository } from '../ci/inspect-repository.ts';
import { type CiEdits, describeEdits, describeUngrouped, hasEdits } from '../ci/plan-edits.ts';
import { writeSecretForms } from '../ci/secret-forms.ts';
import type { Provider } from '../kind/provider.ts';
import { problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { cleanLine, count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';

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
 * Runs `init --ci`: changes the YAML and moves ledgers where CI needs that (`edits`), if the user agrees, and writes the workflows. With `--check` it
 * only reports which steps are open. Throws `Problems` before anything is written if no workflow can be written for the repository with the edits.
 */
export async function initCi(options: InitCiOptions, context: InitCiContext): Promise<void> {
  const { provider, run, sample } = context;
  const terminal = terminalFor(run, options);
  const reader = createCiReader(provider, run);
  const edits = await findCiEdits(options, sample, reader, terminal);
  if (options.check) {
    const work = await planCiFiles(options, edits.facts, run.host);
    const steps = await checkCiSteps(work, { edits, reader, codeHost: options.ci }, run.host);
    terminal.out(formatCheckedSteps(steps));
    if (steps.some(({ state }) => state === 'open')) run.exitCode = 1;
    return;
  }
  // The workflows depend on the edited YAML, so its obstacles are found before it is written.
  raiseErrors((await planCiFiles(options, edits.factsAfter, run.host)).obstacles);
  const agreement = await askAboutEdits(edits, options, terminal);
  if (agreement === 'no') return;
  if (agreement === 'yes') {
    for (const line of await carryOutCiEdits(edits, { port: terminal, provider }))
      terminal.say(cleanLine(`Moved ${line}.`));
    const forms = await writeSecretForms(edits.groups, edits.facts.stackFolder, run.host);
    for (const { name, members } of forms)
      terminal.say(cleanLine(`Wrote ${name}, a form for ${count(members, 'member')} without values.`));
  }
  // Read again after the edits, because somebody else may have changed the files while a person answered.
  const facts =
    agreement === 'yes' ? await inspectRepository(options, run.host, sample, reader) : edits.facts;
  const work = await planCiFiles(options, facts, run.host);
  raiseErrors(work.obstacles);
  if (work.facts.isFresh) await context.writeHome();
  await writeCiFiles(work);
  const changed = agreement === 'yes' ? edits.files.map(({ name }) => name) : [];
  const remaining = agreement === 'later' ? edits : undefined;
  terminal.out(formatCiWork(work, changed, { remaining, ungrouped: describeUngrouped(edits) }, options.ci));
}

/**
 * Asks if the YAML may be changed and ledgers moved, unless `--yes` says so or there is nothing to ask (`none`). After `no` the command writes nothing.
 * `later`: there is no terminal to ask, so the workflows are written, and the edits remain a step. Throws `Problems` without a terminal if CI could not
 * keep the secrets without the change.
 */
async function askAboutEdits(
  edits: CiEdits,
  { ci, yes }: InitCiOptions,
  terminal: Terminal,
): Promise<'yes' | 'no' | 'later' | 'none'> {
  if (!hasEdits(edits)) return 'none';
  if (yes) return 'yes';
  const lines = describeEdits(edits).map(cleanLine);
  const unattended = problem(
    'init/unattended',
    [`init --ci ${ci} has to change the configuration first, and there is no terminal to ask`, ...lines].join(
      '\n',
    ),
    { hint: `run \`trueup init --ci ${ci} --yes\`; nothing was changed` },
  );
  // Without groups, the code host could not keep all of these secrets.
  const needsGroups = edits.groups.length > 0;
  if (!terminal.canAsk) return needsGroups ? raise(unattended) : 'later';
  const question = [
    'This changes what is there already:',
    ...lines.map((line) => `- ${line}`),
    'Go on?',
  ].join('\n');
  return (await isYes(terminal, { question, unattended })) ? 'yes' : 'no';
}

/** Formats the report of `init --ci`: the files that were written, changed or are up to date, and the steps for a person. */
function formatCiWork(
  { missing, upToDate, ignored, steps }: CiWork,
  changed: readonly string[],
  { remaining, ungrouped }: { remaining: CiEdits | undefined; ungrouped: string[][] },
  codeHost: string,
): string {
  const changes: DescribedFile[] = [
    ...changed.map((path) => ({ path, text: '', purpose: 'as CI needs it' })),
    ...(ignored ? [{ path: ignored.name, text: '', purpose: 'keeps node_modules out of commits' }] : []),
  ];
  const width = Math.max(...[...missing, ...upToDate, ...changes].map(({ path }) => path.length));
  const section = (title: string, files: DescribedFile[]) => {
    const lines = files.map(({ path, purpose }) => cleanLine(`  ${path.padEnd(width)}  ${purpose}`));
    return lines.length === 0 ? [] : [title, ...lines, ''];
  };
  const editStep = remaining
    ? [[`Run \`trueup init --ci ${codeHost} --yes\`, which also does this:`, ...describeEdits(remaining)]]
    : [];
  const checkStep = [`Verify it: trueup init --ci ${codeHost} --check`];
  const allSteps = [...editStep, ...ungrouped, ...steps.map(({ lines }) => lines), checkStep];
  return [
    ...section('Wrote:', missing),
    ...section('Changed:', changes),
    ...section('Already up to date:', upToDate),
    'Left to do:',
    ...allSteps.flatMap((lines, index) => formatStep(`${index + 1}.`, lines)),
  ].join('\n');
}

/** Formats a step with its number or state in front. */
const formatStep = (label: string, [first = '', ...details]: readonly string[]): string[] => [
  `${label} ${cleanLine(first)}`,
  ...details.map((line) => `   ${cleanLine(line)}`),
];

/** Formats the result of `--check`: each step with its state, details of those that are open, and a count. Steps for a person have numbers. */
function formatCheckedSteps(steps: readonly CheckedStep[]): string {
  const number = (wanted: CheckedStep['state']) => steps.filter(({ state }) => state === wanted).length;
  const labels = { done: 'done', open: 'OPEN', unknown: '?   ' };
  const counts = [
    `${number('done')} done`,
    `${number('open')} open`,
    `${number('unknown')} not visible from here`,
  ];
  const shownReasons = new Set<string>();
  const numbered = steps.filter((step) => !isStepOfInit(step));
  return [
    ...steps.flatMap((step) => {
      const { state, detail } = step;
      const [first = '', ...details] = step.lines;
      // One missing token is the reason for several steps.
      const reason = detail === undefined || shownReasons.has(detail) ? [] : [detail];
      for (const text of reason) shownReasons.add(text);
      const lines = [first, ...reason, ...(state === 'open' ? details : [])];
      const position = isStepOfInit(step) ? '  ' : `${numbered.indexOf(step) + 1}.`;
      return formatStep(`${labels[state]} ${position}`, lines);
    }),
    '',
    `${count(steps.length, 'step')}: ${counts.join(', ')}.`,
  ].join('\n');
}
