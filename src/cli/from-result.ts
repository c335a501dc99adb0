import { createPlanOptions } from '../app/planning/plan-options.ts';
import { openSession } from '../app/session/session.ts';
import { standardOptions } from '../app/stack-options.ts';
import { formatYaml } from '../config/format/format-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import { toExportedFiles } from '../export/export-files.ts';
import type { ExportResult } from '../export/export-live.ts';
import type { LeftOut, Tally } from '../from/left-out.ts';
import type { FromState } from '../from/terraform/from-state.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { shellWord } from '../model/shell-word.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { summarizePlan } from '../report/summarize-plan.ts';
import { openPlan } from '../run/open-plan.ts';
import { exitCodes } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import type { FromOptions } from './from-file.ts';
import type { Terminal } from './terminal.ts';
import { refuseExisting, writeExport } from './write-export.ts';

/** Plans what was written, where there is an account, and says what the plan proves; else how that is done. */
export async function proveFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
): Promise<void> {
  const plan = await planFrom(provider, path, options, terminal, 'To check that it plans to no changes');
  if (!plan) return;
  const isWrong = hasErrors(plan.diagnostics);
  if (!isWrong && plan.operations.length === 0) {
    terminal.say(provenText(plan));
    return;
  }
  await showPlan(plan, {}, terminal, provider.pace);
  terminal.say(openText(plan, isWrong));
  terminal.run.exitCode = exitCodes.failed;
}

/** The same of what may well be new to the account: it shows what an apply would do. */
export async function showFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
): Promise<void> {
  const plan = await planFrom(provider, path, options, terminal, 'To see what it would change');
  if (!plan) return;
  if (!hasErrors(plan.diagnostics) && plan.operations.length === 0) terminal.say(provenText(plan));
  else if (!(await showPlan(plan, {}, terminal, provider.pace))) terminal.run.exitCode = exitCodes.failed;
}

async function planFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
  why: string,
): Promise<Plan | undefined> {
  if (path === undefined) return undefined;
  const { host } = terminal.run;
  const isAtHand = options.twin || options.tokenFile !== undefined || Boolean(host.env.TRUEUP_TOKEN?.trim());
  if (options.plan === false || !isAtHand) {
    terminal.say(`${why}: trueup plan -f ${shellWord(path)}`);
    return undefined;
  }
  const given = { ...options, ...standardOptions, maxWait: options.maxWait, file: [path] };
  const session = await openSession(provider, given, terminal);
  try {
    return (await openPlan(session, createPlanOptions(given, host))).plan;
  } finally {
    await session.close();
  }
}

function provenText(plan: Plan): string {
  const { adopt } = summarizePlan(plan);
  const there = `${count(adopt, 'object')} ${adopt === 1 ? 'is' : 'are'} in the account already; the first apply adopts ${adopt === 1 ? 'it' : 'them'}.`;
  return `Verified: its plan sends nothing. ${adopt === 0 ? 'All of it was already applied from here.' : there}`;
}

function openText(plan: Plan, isWrong: boolean): string {
  if (isWrong) return 'Its plan has errors: nothing can be applied until they are fixed.';
  const { create } = summarizePlan(plan);
  const made = create === 0 ? 'nothing is created' : `${count(create, 'object')} would be created`;
  return `The account differs from the file: its plan would send ${count(plan.operations.length, 'request')}, and ${made}. Refresh the file, or edit the YAML.`;
}

/**
 * Writes a configuration as `export` does, reads it back, and gives back where it is; undefined where it was only printed, or has an error.
 * Throws `Problems` for files that are there already.
 */
export async function writeFrom(
  exported: ExportResult,
  header: { stack: string; platform: Record<string, unknown> },
  kinds: Kinds,
  options: FromOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const { host } = terminal.run;
  const { outDir } = options;
  const files = toExportedFiles({ ...exported, notes: [] }, { ...header, isSplit: outDir !== undefined });
  const formatted = files.map(({ name, text }) => ({
    name,
    text: formatYaml(new Source(name, text)).text ?? text,
  }));
  await refuseExisting(formatted, options, host);
  const errors = await writeExport(formatted, kinds, options, terminal);
  if (errors.length === 0) return outDir;
  terminal.say('The result is not valid:\n');
  terminal.say(diagnosticsText(errors, { style: terminal.errStyle }));
  terminal.run.exitCode = 1;
  return undefined;
}

/** Formats the result of reading a state: everything that is left out is named, and the numbers come last. */
export function stateSummary(
  { count: objects, notes, leftOut }: ExportResult,
  { secrets, publicValues, partial }: FromState,
  { tally, folded, asFound }: { tally: Tally; folded: readonly string[]; asFound: readonly string[] },
): string {
  const countNames = (all: FromState['secrets']) => all.reduce((sum, { names }) => sum + names.length, 0);
  const namesText = ({ address, names }: FromState['secrets'][number]) => `${address}: ${names.join(', ')}`;
  const values = countNames(secrets);
  const reasons = new Set(tally.leftOut.map(({ why }) => why));
  const others = notes.filter(
    (note) => ![...leftOut.values()].some((why) => reasons.has(why) && note.endsWith(why)),
  );
  return [
    `${count(objects, 'object')} converted.`,
    ...(folded.length > 0 ? [`One block with \`$each\`: ${cleanLine(folded.join(', '))}.`] : []),
    ...(values > 0
      ? [
          `${count(values, 'secret')} of the state ${values === 1 ? 'is' : 'are'} not written to any file; the account keeps the live values (to set a variable here, add \`value: \${secret.NAME}\` to its block and \`NAME: {}\` under \`secrets\`):`,
          ...indentLines(secrets.map(namesText)),
        ]
      : []),
    ...titled(
      `${count(countNames(publicValues), 'value')} written as plain text, since frameworks compile variables with these names into the code for browsers:`,
      publicValues.map(namesText),
    ),
    ...(asFound.length > 0
      ? ['Written as found: check them for secrets before you commit.', ...indentLines(asFound)]
      : []),
    ...leftText(tally.leftOut.map((item) => leftOutText({ ...item, count: 1 }))),
    ...titled('Converted in part:', [...partial, ...others]),
    tallyText(tally, 'resource'),
  ].join('\n');
}

/** The last line of every conversion. */
export const tallyText = ({ read, converted, leftOut }: Tally, what: string): string =>
  `Read ${count(read, what)}, converted ${converted}, left out ${leftOut.reduce((sum, item) => sum + item.count, 0)}.`;

/** One line about something that is left out. */
export const leftOutText = ({ what, why, count: number }: LeftOut): string =>
  [what, number === 1 ? why : `${why} (${number})`].filter((part) => part !== '').join(': ');

/** Under a title, the objects that were converted without a part of them. */
export const incompleteText = (incomplete: ExportResult['incomplete']): string[] =>
  titled(
    'Converted in part:',
    incomplete.map(({ address, comment }) => `${address}: ${comment}`),
  );

/** Under a title, what is left out. */
export const leftText = (lines: readonly string[]): string[] => titled('Not converted:', lines);

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...indentLines(lines)];

/** Names in it come from a file of somebody else: none of them begins a line. */
const indentLines = (lines: readonly string[]): string[] => lines.map((line) => `  ${cleanLine(line)}`);
