/*
 * The reports of `trueup init --ci`: the files that it wrote with the steps that remain for a person, and the result of its `--check`.
 */
import { cleanLine, count } from '../report/text.ts';
import { type CheckedStep, isStepOfInit } from './check-steps.ts';
import type { CiWork, DescribedFile } from './ci-work.ts';
import { type CiEdits, describeEdits } from './plan-edits.ts';

type ListedFile = Pick<DescribedFile, 'path' | 'purpose'>;

/**
 * Formats the report of `init --ci`: the files that were written, changed or are up to date, and the steps for a person. `changed`: the
 * paths of the edited YAML files. `remaining`: edits that the user was not asked about, which are then the first step.
 */
export function formatCiWork(
  { missing, upToDate, ignored, steps }: CiWork,
  changed: readonly string[],
  { remaining, ungrouped }: { remaining: CiEdits | undefined; ungrouped: string[][] },
  codeHost: string,
): string {
  const changes: ListedFile[] = [
    ...changed.map((path) => ({ path, purpose: 'as CI needs it' })),
    ...(ignored ? [{ path: ignored.name, purpose: 'keeps node_modules out of commits' }] : []),
  ];
  const width = Math.max(...[...missing, ...upToDate, ...changes].map(({ path }) => path.length));
  const editStep = remaining
    ? [[`Run \`trueup init --ci ${codeHost} --yes\`, which also does this:`, ...describeEdits(remaining)]]
    : [];
  const checkStep = [`Verify it: trueup init --ci ${codeHost} --check`];
  const allSteps = [...editStep, ...ungrouped, ...steps.map(({ lines }) => lines), checkStep];
  return [
    ...formatFileGroup('Wrote:', missing, width),
    ...formatFileGroup('Changed:', changes, width),
    ...formatFileGroup('Already up to date:', upToDate, width),
    'Left to do:',
    ...allSteps.flatMap((lines, index) => formatStep(`${index + 1}.`, lines)),
  ].join('\n');
}

/**
 * Formats a list of files with their purposes, each path padded to `width`, and an empty line after it. Returns no lines, and no title, for
 * no files.
 */
function formatFileGroup(title: string, files: readonly ListedFile[], width: number): string[] {
  const lines = files.map(({ path, purpose }) => cleanLine(`  ${path.padEnd(width)}  ${purpose}`));
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

/** Formats a step with its number or state in front. */
const formatStep = (label: string, [first = '', ...details]: readonly string[]): string[] => [
  `${label} ${cleanLine(first)}`,
  ...details.map((line) => `   ${cleanLine(line)}`),
];

/** The words for the states of steps in the result of `--check`, all of the same width. */
const stateLabels = { done: 'done', open: 'OPEN', unknown: '?   ' };

/**
 * Formats the result of `init --ci --check`: each step with its state, details of those that are open, and a count. Steps for a person have
 * the numbers that the list of `init --ci` gives them; the steps of `init --ci` itself have none.
 */
export function formatCheckedSteps(steps: readonly CheckedStep[]): string {
  const numberedSteps = steps.filter((step) => !isStepOfInit(step));
  const lines = steps.flatMap((step) => {
    const { state, detail } = step;
    const [first = '', ...openDetails] = step.lines;
    // One missing token is the reason for several steps, so only the first of them shows it.
    const isFirstWithDetail = steps.find((other) => other.detail === detail) === step;
    const reason = detail !== undefined && isFirstWithDetail ? [detail] : [];
    const position = isStepOfInit(step) ? '  ' : `${numberedSteps.indexOf(step) + 1}.`;
    return formatStep(`${stateLabels[state]} ${position}`, [
      first,
      ...reason,
      ...(state === 'open' ? openDetails : []),
    ]);
  });
  return [...lines, '', formatStateCounts(steps)].join('\n');
}

/** Formats the last line of `--check`, which counts the steps by their states: `9 steps: 7 done, 1 open, 1 not visible from here.` */
function formatStateCounts(steps: readonly CheckedStep[]): string {
  const number = (wanted: CheckedStep['state']) => steps.filter(({ state }) => state === wanted).length;
  const counts = [
    `${number('done')} done`,
    `${number('open')} open`,
    `${number('unknown')} not visible from here`,
  ];
  return `${count(steps.length, 'step')}: ${counts.join(', ')}.`;
}
