import fc from 'fast-check';
import { stringify } from 'yaml';
import { formatCsvCell } from '../../src/config/values/csv-cells.ts';
import { oddText } from '../support/odd-texts.ts';

/*
 * Random configurations whose projects come from data, and changes of the values that they make. A column of the data is used by the
 * variables of each project in some form, by a project that is written by hand, or by a condition.
 */

const columns = ['a', 'b', 'c'] as const;
const variables = ['ONE', 'TWO', 'THREE'] as const;
const sites = ['at', 'gb', 'de'] as const;

type Row = Record<(typeof columns)[number], string>;

/** The ways in which a variable uses a column. `around`: the text before and behind the value of the column. */
const forms = {
  whole: { around: ['', ''], isReversible: true },
  inText: { around: ['https://', '/x'], isReversible: true },
  filtered: { around: ['', ' | lower'], isReversible: false },
  joined: { around: ['', ''], isReversible: false },
} as const;

const simpleText = fc.constantFrom('one', 'two words', 'a,b', 'say "x"', 'é', '1.10', 'true', "it's", 'x: y');
const newText = fc.oneof(
  simpleText.map((text) => `new ${text}`),
  oddText.filter((text) => text.trim() !== '' && !/[\ud800-\udfff]/u.test(text)),
);

export const dataStories = fc.record({
  format: fc.constantFrom('csv', 'quoted', 'json', 'yaml', 'default', 'each'),
  rows: fc.tuple(...sites.map(() => fc.record({ a: simpleText, b: simpleText, c: simpleText }))),
  uses: fc.tuple(
    ...variables.map(() =>
      fc.record({
        column: fc.constantFrom(...columns),
        form: fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])),
      }),
    ),
  ),
  /** The number of templates between the block and the variables. */
  depth: fc.nat(2),
  hand: fc.option(fc.constantFrom(...columns), { nil: undefined }),
  condition: fc.option(fc.constantFrom(...columns), { nil: undefined }),
  changes: fc.uniqueArray(
    fc.record({ site: fc.nat(2), variable: fc.nat(2), text: newText, isInForm: fc.boolean() }),
    { minLength: 1, maxLength: 4, selector: ({ site, variable }) => `${site} ${variable}` },
  ),
});

type DataStory = typeof dataStories extends fc.Arbitrary<infer T> ? T : never;

/** The files of a story, its changes, and those changes that have to be in the data afterwards. */
export interface DataScenario {
  /** The configuration without its header. */
  yaml: string;
  data: Record<string, string>;
  changes: { project: string; key: string; value: string; isInData: boolean }[];
}

export function toScenario(story: DataStory): DataScenario {
  const { format, rows, uses, depth, hand, condition, changes } = story;
  const expressionOf = (root: string, { column, form }: DataStory['uses'][number]) => {
    const [before, behind] = forms[form].around;
    if (form === 'filtered') return `\${${root}.${column}${behind}}`;
    return `${form === 'joined' ? '${project.name} ' : ''}${before}\${${root}.${column}}${behind}`;
  };
  const valuesFrom = (root: string) =>
    Object.fromEntries(
      variables.map((key, index) => [key, { value: expressionOf(root, uses[index]!), type: 'plain' }]),
    );
  const inputs = Object.fromEntries(columns.map((column) => [column, `\${each.value.${column}}`]));
  const passedOn = Object.fromEntries(columns.map((column) => [column, `\${input.${column}}`]));
  const declared = { $inputs: { a: {}, b: {}, c: {} } };
  const each =
    format === 'each' ? Object.fromEntries(sites.map((site, index) => [site, rows[index]])) : '${var.sites}';
  // The members of an `$each` in a block are known only there.
  const hasVariable = format !== 'each';
  const projects = {
    'site-${each.key}': {
      $each: each,
      ...(depth > 0 ? { $use: { site: inputs } } : { env: valuesFrom('each.value') }),
    },
    ...(hand && hasVariable
      ? { hand: { env: { H: { value: `\${var.sites.at.${hand}}`, type: 'plain' } } } }
      : {}),
    ...(condition && hasVariable
      ? {
          'if-${each.key}': {
            $each: '${var.sites}',
            $when: { [`each.value.${condition}`]: rows[0]![condition] },
            framework: 'nextjs',
          },
        }
      : {}),
  };
  const file = { csv: 'sites.csv', quoted: 'sites.csv', json: 'sites.json', yaml: 'sites.yaml' };
  const name = format in file ? file[format as keyof typeof file] : undefined;
  const byKey = Object.fromEntries(sites.map((site, index) => [site, rows[index]!]));
  const document = {
    variables: name ? { sites: { file: name } } : hasVariable ? { sites: { default: byKey } } : undefined,
    templates: [
      undefined,
      { site: { ...declared, env: valuesFrom('input') } },
      {
        site: { ...declared, $use: { inner: passedOn } },
        inner: { ...declared, env: valuesFrom('input') },
      },
    ][depth],
    projects,
  };
  const usersOf = (column: string) =>
    uses.filter((use) => use.column === column).length +
    (hasVariable && hand === column ? 1 : 0) +
    (hasVariable && condition === column ? 1 : 0);
  return {
    yaml: stringify(JSON.parse(JSON.stringify(document)), { lineWidth: 0 }),
    data: name ? { [name]: dataText(format, byKey) } : {},
    changes: changes.map(({ site, variable, text, isInForm }) => {
      const { column, form } = uses[variable]!;
      const { around, isReversible } = forms[form];
      const hasForm = isReversible && isInForm;
      const value = hasForm ? around.join(text) : text;
      const isPlain = /^new [a-z ]+$/.test(text);
      return {
        project: `site-${sites[site]}`,
        key: variables[variable]!,
        value,
        isInData: isPlain && hasForm && usersOf(column) === 1,
      };
    }),
  };
}

/** The text of a data file. */
function dataText(format: string, rows: Record<string, Row>): string {
  if (format === 'json') return JSON.stringify(rows, null, 2);
  if (format === 'yaml') return `# Sites.\n${stringify(rows)}`;
  const [lineEnd, style] = format === 'quoted' ? ['\r\n', '"'] : ['\n', ''];
  const lines = Object.entries(rows).map(([site, row]) =>
    [site, ...columns.map((column) => formatCsvCell(row[column], style))].join(','),
  );
  return ['code,a,b,c', ...lines, ''].join(lineEnd);
}
