const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Codes of sites, all different: `aa`, `ab` and so on. */
const codes = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letters[Math.floor(i / 26)]}${letters[i % 26]}`);

const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

/** A company whose sites are made of one template: 86 resources each, written once. */
export const companyOf = (sites: number): string => `stack: company
platform: { personal: true }
variables:
  sites: { default: [${codes(sites).join(', ')}] }
  settings: { default: [${Array.from({ length: 50 }, (_, n) => `SETTING_${n}`).join(', ')}] }
  hosts: { default: [a, b, c, d, e, f, g, h, i, j] }
secrets: { db: {} }
templates:
  site:
    $kind: project
    $inputs: { code: { pattern: "[a-z]{2}" }, domain: { default: "\${input.code}.acme.com" } }
    framework: nextjs
    nodeVersion: 22.x
    env:
      "\${each.key}": { $each: "\${var.settings}", value: "\${each.key} of \${input.code}", target: [production] }
${many(10, (n) => `      COMMON_${n}: { value: "https://${n}.\${input.domain}", target: [production] }`)}
      DATABASE_URL: { value: "\${secret.db[input.code]}", target: [production] }
      SELF: { value: "\${project.id}", target: [production] }
    domains: { "\${input.domain}": {}, "www.\${input.domain}": { redirect: "\${input.domain}", redirectStatusCode: 308 } }
    firewall:
      rules:
${many(9, (n) => `        - { name: rule-${n}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /private/${n} }] }], action: { mitigate: { action: deny } } }`)}
projects:
  site-\${each.key}: { $each: "\${var.sites}", $use: { site: { code: "\${each.key}" } } }
domains:
  \${each.key}.acme.com:
    $each: "\${var.sites}"
    records: [{ $each: "\${var.hosts}", type: A, name: "\${each.key}", value: 192.0.2.7 }]
`;

/** So many projects with one variable each, two resources a piece: by a template, or each written out. */
export const instancesOf = (count: number, way: 'template' | 'written'): string =>
  way === 'template'
    ? `stack: many
platform: { personal: true }
variables:
  sites:
    default:
${many(count, (n) => `      - "${n}"`)}
templates:
  site: { $kind: project, $inputs: { n: {} }, framework: nextjs, env: { A: { value: "x \${input.n}", type: plain, target: [production] } } }
projects:
  p-\${each.key}: { $each: "\${var.sites}", $use: { site: { n: "\${each.key}" } } }
`
    : `stack: many
platform: { personal: true }
projects:
${many(count, (n) => `  p-${n}:\n    framework: nextjs\n    env:\n      A:\n        value: x ${n}\n        type: plain\n        target: [production]`)}
`;
