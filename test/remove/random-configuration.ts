import fc from 'fast-check';

const names = ['web', 'api', 'docs', 'app'];
const keys = ['LEVEL', 'MODE', 'REGION'];

/** A value of a variable, in one of the forms that the YAML allows. */
const variable = fc.constantFrom(
  'info',
  '{ value: x, target: [production] }',
  '{ value: y, target: [production, preview] }',
  '[{ value: p, target: [production] }, { value: q, target: [preview, development] }]',
);

const subset = <T>(items: readonly T[]) => fc.subarray([...items]);

const project = fc.record({
  isCommented: fc.boolean(),
  isInBrackets: fc.boolean(),
  framework: fc.option(fc.constantFrom('nextjs', 'astro'), { nil: undefined }),
  usesTemplate: fc.boolean(),
  env: fc.dictionary(fc.constantFrom(...keys), variable),
  rules: subset(['bots', 'admin', 'wp']),
  dependsOn: fc.option(fc.constantFrom(...names), { nil: undefined }),
});

type Project = typeof project extends fc.Arbitrary<infer T> ? T : never;

/** Formats a project as an entry of `projects:`. It depends only on earlier declared projects, so that there is no cycle. */
function projectText(name: string, { env, rules, ...written }: Project, declared: readonly string[]): string {
  const members: [string, string][] = [];
  if (written.usesTemplate) members.push(['$use', '{ site: { level: high } }']);
  if (written.framework) members.push(['framework', written.framework]);
  if (written.dependsOn && written.dependsOn < name && declared.includes(written.dependsOn))
    members.push(['$dependsOn', `[projects/${written.dependsOn}]`]);
  const entries = Object.entries(env);
  const inBrackets = (texts: string[]) => `{ ${texts.join(', ')} }`;
  const ruleTexts = rules.map(
    (rule) =>
      `{ name: ${rule}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${rule} }] }], action: { mitigate: { action: deny } } }`,
  );
  if (written.isInBrackets) {
    if (entries.length > 0) members.push(['env', inBrackets(entries.map((pair) => pair.join(': ')))]);
    if (rules.length > 0) members.push(['firewall', `{ rules: [${ruleTexts.join(', ')}] }`]);
  } else {
    if (entries.length > 0)
      members.push([
        'env',
        `\n${entries.map(([key, value]) => `      # ${key}\n      ${key}: ${value}`).join('\n')}`,
      ]);
    if (rules.length > 0)
      members.push([
        'firewall',
        `\n      rules:\n${ruleTexts.map((text) => `        - ${text}`).join('\n')}`,
      ]);
  }
  const comment = written.isCommented ? `  # about ${name}\n` : '';
  const lines = members.map(([key, value]) => `${key}:${value.startsWith('\n') ? '' : ' '}${value}`);
  if (lines.length === 0) return `${comment}  ${name}: {}\n`;
  return written.isInBrackets
    ? `${comment}  ${name}: ${inBrackets(lines)}\n`
    : `${comment}  ${name}:\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
}

/**
 * Random configurations as files: projects in several forms, with a template, rows of a CSV file, a zone with sets of records, and patches. All of
 * them are valid.
 */
export const configurations = fc
  .record({
    projects: fc.dictionary(fc.constantFrom(...names), project, { minKeys: 1 }),
    rows: subset(['ab', 'cd', 'ef']),
    hasSiteDomains: fc.boolean(),
    records: subset([
      '{ type: A, name: www, value: 192.0.2.1 }',
      '{ type: A, name: www, value: 192.0.2.2 }',
      '{ type: TXT, name: www, value: hello }',
      '{ type: CNAME, name: shop, value: shop.acme.net }',
    ]),
    hasSiteRecords: fc.boolean(),
    isPatched: fc.boolean(),
  })
  .map(({ projects, rows, hasSiteDomains, records, hasSiteRecords, isPatched }) => {
    const declared = Object.keys(projects);
    const sites = rows.length > 0;
    const items = [
      ...records.map((record) => `      - ${record}`),
      ...(sites && hasSiteRecords
        ? [`      - { $each: "\${var.sites}", type: A, name: "\${each.key}", value: 192.0.2.9 }`]
        : []),
    ];
    const patches = [
      ...(isPatched ? [`  - { $at: projects/${declared[0]}, env: { PATCHED: 1 } }`] : []),
      ...(isPatched && declared.length > 1 ? ['  - { $at: "projects/*", nodeVersion: 22.x }'] : []),
    ];
    const text = [
      'stack: shop\nplatform: { personal: true }\n',
      sites ? 'variables: { sites: { file: sites.csv } }\n' : '',
      'templates:\n  site: { $kind: project, $inputs: { level: {} }, framework: nextjs, env: { LEVEL: "${input.level}", URL: here } }\n',
      'projects:\n',
      ...Object.entries(projects).map(([name, written]) => projectText(name, written, declared)),
      sites
        ? '  site-${each.key}: { $each: "${var.sites}", $use: { site: { level: "${each.value.level}" } } }\n'
        : '',
      'domains:\n  acme.com:',
      items.length > 0 ? `\n    records:\n${items.join('\n')}\n` : ' {}\n',
      sites && hasSiteDomains ? '  ${each.key}.acme.com: { $each: "${var.sites}" }\n' : '',
      patches.length > 0 ? `patches:\n${patches.join('\n')}\n` : '',
    ].join('');
    const csv = `code,level\n${rows.map((code) => `${code},${code}1\n`).join('')}`;
    return { 'trueup.yaml': text, ...(sites ? { 'sites.csv': csv } : {}) } as Record<string, string>;
  });
