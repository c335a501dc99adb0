import { structureOf } from '../config/yaml/source.ts';

const around = 1;
const most = 3;
const farthest = 40;

/**
 * Where two texts differ first, as lines for people: a few of the one, a few of the other, and the number of the first line. A
 * file may hold values that are secret, and formatting changes no value: of each line only its shape is shown.
 */
export function firstDifference(before: string, after: string): string[] {
  const [a, b] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const first = a.findIndex((line, at) => line !== b[at]);
  const at = first < 0 ? a.length : first;
  const [gone, come] = apart(a.slice(at), b.slice(at));
  return [
    `  @@ line ${at + 1} @@`,
    ...a.slice(Math.max(0, at - around), at).map((line) => `    ${shapeOf(line)}`),
    ...marked('-', gone),
    ...marked('+', come),
  ];
}

/** The lines of both up to the first one that they have in common again, if it comes soon. */
function apart(a: string[], b: string[]): [string[], string[]] {
  for (let sum = 1; sum <= farthest; sum++)
    for (let i = 0; i <= sum; i++)
      if (a[i]?.trim() && a[i] === b[sum - i]) return [a.slice(0, i), b.slice(0, sum - i)];
  return [a, b];
}

const marked = (mark: string, lines: string[]) => [
  ...lines.slice(0, most).map((line) => `  ${mark} ${shapeOf(line)}`.trimEnd()),
  ...(lines.length > most ? [`  ${mark} ... ${lines.length - most} more lines`] : []),
];

/** What cannot be seen is what often differs: a byte order mark, tabs, blanks at the end, line ends. */
function shapeOf(line: string): string {
  const [, mark, text, blanks, end] = /^(\ufeff?)(.*?)([ \t]*)(\r?\n)?$/s.exec(line)!;
  return [
    mark && '(BOM)',
    structureOf(text!.replaceAll('\t', '→'), true),
    blanks!.replaceAll(' ', '·').replaceAll('\t', '→'),
    end === undefined ? ' (no line end)' : end.replace(/\r?\n/, (one) => (one === '\n' ? '' : '␍')),
  ].join('');
}
