/*
 * The files of a company with 60 sites of two teams, 6 zones and a shop in two stages: 5 stacks. A site is a row of a CSV file: the template makes its
 * project with its variables.
 */

const zones = ['acme.com', 'acme.de', 'acme.fr', 'acme.co', 'acme.jp', 'acme.us'];
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The rows of the sites of a team, with codes that begin with a letter: `ea,acme.com,info`. */
const rows = (first: string, count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const code = `${first}${letters[index % 26]}${index < 26 ? '' : '2'}`;
    return `${code},${zones[index % zones.length]},info\n`;
  }).join('');

/** The stack of the sites of a team. */
const region = (name: string): string => `stack: ${name}
platform: { team: acme }
include: ../shared/site.yaml
variables: { sites: { file: sites.csv } }
secrets: { session: {} }
projects:
  site-\${each.key}:
    $each: "\${var.sites}"
    $use: { site: { code: "\${each.key}", zone: "\${each.value.zone}", level: "\${each.value.level}" } }
`;

/** All configuration of the company, by path, with so many sites in each team. */
export const companyFiles = (sites: number): Record<string, string> => ({
  'trueup.workspace.yaml': `ledger: git
stacks:
  - dns
  - { path: europe, needs: [dns] }
  - { path: america, needs: [dns] }
  - { path: shop, stages: [staging, production] }
`,
  'shared/site.yaml': `templates:
  site:
    $kind: project
    $inputs: { code: { pattern: "[a-z][a-z0-9]+" }, zone: {}, level: { default: info } }
    framework: nextjs
    env:
      HOST: { value: "\${input.code}.\${input.zone}", type: plain, target: [production] }
      LEVEL: { value: "\${input.level}", type: plain }
      SESSION: { value: "\${secret.session}", type: sensitive, target: [production] }
`,
  'dns/trueup.yaml': `stack: dns
platform: { team: acme }
domains:
  \${each.key}:
    $each: [${zones.join(', ')}]
    records:
      - { type: MX, name: "@", value: mx.mail.example, mxPriority: 10 }
      - { type: A, name: "*", value: 192.0.2.10 }
`,
  'europe/trueup.yaml': region('europe'),
  'europe/sites.csv': `code,zone,level\n${rows('e', sites)}`,
  'america/trueup.yaml': region('america'),
  'america/sites.csv': `code,zone,level\n${rows('a', sites)}`,
  'shop/trueup.yaml': `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
projects:
  shop-\${stage}: { framework: nextjs, env: { CHECKOUT: { value: v1, type: plain } } }
`,
});
