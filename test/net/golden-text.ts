import { createHash } from 'node:crypto';
import { structuredPatch } from 'diff';
import type { Kind } from '../../src/kind/kind.ts';
import { type StepRecord, stepTitles } from './play.ts';

/*
 * Renders what the plans and applies of one kind print as one file for reviewers.
 *
 * Terms
 *   label      the name of an object that tests one field, such as `project12made`; its number and ending, `12made`, are its short label
 *   paragraph  text between blank lines: usually one object of a plan, or one event of an apply
 *   switches   settings of the twin. Each kind is played with the default and with the other ones.
 *
 * Most paragraphs of a plan differ only in the label, so each is written once, for its first object, followed by the short labels of the
 * others. A changed wording is then one change in the file and not seventy.
 */

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Renders the records of one kind: the texts of each step, then the words of the JSON format. */
export function goldenText(kind: Kind, withDefault: StepRecord[], withOther: StepRecord[]): string {
  const steps = stepTitles.map((title, index) => {
    const [first, second] = [withDefault[index]!, withOther[index]!].map((record) => stepText(kind, record));
    const difference = unifiedDiff(first!, second!, 1);
    const otherText =
      difference === '' ? '' : `\n-------- With the other switches --------\n\n${difference}\n`;
    return `======== ${title} ========\n\n${first}${otherText}`;
  });
  return [...steps, jsonWords(withDefault, withOther)].join('\n');
}

const stepText = (kind: Kind, { planText, applyText }: StepRecord): string =>
  `${foldParagraphs(kind, planText)}\n\n-------- Apply --------\n\n${foldParagraphs(kind, applyText)}\n`;

/** Writes paragraphs that differ only in their label, their line in the YAML or their number once. */
export function foldParagraphs({ name }: Pick<Kind, 'name'>, text: string): string {
  const label = new RegExp(`\\b${name.toLowerCase()}(\\d+(?:made|set)?|-there)\\b`, 'g');
  const labelsByTemplate = new Map<string, Set<string>>();
  const examples = new Map<string, string>();
  for (const paragraph of text.split('\n\n')) {
    const labels = new Set([...paragraph.matchAll(label)].map(([, shortLabel]) => shortLabel!));
    const template =
      labels.size === 1
        ? paragraph
            .replaceAll(label, '{label}')
            .replaceAll(/trueup\.yaml:\d+/g, 'trueup.yaml:{line}')
            .replaceAll(/\(\d+ of \d+\)$/g, '({number})')
        : paragraph;
    const sameTemplate = labelsByTemplate.get(template) ?? new Set();
    labelsByTemplate.set(template, new Set([...sameTemplate, ...labels]));
    if (!examples.has(template)) examples.set(template, paragraph);
  }
  return [...examples]
    .map(([template, example]) => {
      const [, ...others] = labelsByTemplate.get(template)!;
      const isFolded = template !== example && others.length > 0;
      return isFolded ? `${example}\n      [also ${others.join(' ')}]` : example;
    })
    .join('\n\n');
}

/** Members of the plans' JSON whose values are sentences for people. */
const sentences = ['gradeReason', 'hint', 'message', 'reason', 'undoReason', 'why'];
/** Members whose values are words of the format. All others are names, numbers or content of the user. */
const words =
  'action cause code complete grade moves permissions renews replaces secret severity undo unlisted';
const listedMembers = new Set([...words.split(' '), ...sentences]);
/** Members that the digests leave out: what changes with a rewording or with each version of the format. */
const undigestedMembers = new Set(['formatVersion', ...sentences]);
const userContent = new Set(['before', 'after', 'body']);

/**
 * Lists the words and sentences in the plans' JSON and how often each occurs, so that a rewording can be read in a review. The digests below
 * the list prove that the JSON is otherwise unchanged.
 */
function jsonWords(withDefault: StepRecord[], withOther: StepRecord[]): string {
  const counts = new Map<string, number>();
  const countWords = (value: unknown, path: string, member: string): void => {
    if (userContent.has(member)) return;
    if (Array.isArray(value)) for (const entry of value) countWords(entry, `${path}[]`, member);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        countWords(inner, path === '' ? name : `${path}.${name}`, name);
    else if (listedMembers.has(member)) {
      const word = `${path}: ${JSON.stringify(value)}`;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  };
  for (const { planJson } of [...withDefault, ...withOther]) countWords(JSON.parse(planJson), '', '');
  const digests = (records: StepRecord[]) => records.map(({ planJson }) => jsonDigest(planJson)).join(' ');
  return [
    '======== Words in the JSON of the plans, and how often they occur ========',
    '',
    ...[...counts].map(([word, count]) => `${word} (${count})`).sort(),
    '',
    `Digests with the default switches: ${digests(withDefault)}`,
    `Digests with the other switches:   ${digests(withOther)}`,
    '',
  ].join('\n');
}

function jsonDigest(planJson: string): string {
  const digested = JSON.stringify(JSON.parse(planJson), (name, value) => {
    // As a text, content of the user keeps members that happen to have one of those names.
    if (userContent.has(name)) return JSON.stringify(value);
    return undigestedMembers.has(name) ? undefined : value;
  });
  return digest(digested);
}

/** Returns a unified diff without line numbers, so that a change further up does not change it; empty if the texts are equal. */
export function unifiedDiff(before: string, after: string, context: number, maxLines = Infinity): string {
  if (before === after) return '';
  const { hunks } = structuredPatch('', '', before, after, '', '', { context });
  const lines = hunks.flatMap((hunk) => ['@@', ...hunk.lines]);
  const omitted = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(omitted > 0 ? [`... ${omitted} more lines`] : [])].join('\n');
}
