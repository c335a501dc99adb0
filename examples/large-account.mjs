// A large account as a seed of the twin: 60 projects, or another number, with the other objects of a company of that size.
//
//     node examples/large-account.mjs 60 > account.json
//     trueup twin --seed account.json
//
// The result is always the same: the settings of a project follow from its number.

const [given = '60'] = process.argv.slice(2);
if (!/^[1-9]\d{0,4}$/.test(given)) {
  console.error('usage: node examples/large-account.mjs [PROJECTS] > account.json');
  process.exit(1);
}
const count = Number(given);

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));
/** What every nth project has. */
const every = (n, i, value) => (i % n === 0 ? value : {});

const countries = 'at be bg ch cz de dk ee es fi fr gr hr hu ie it lt lu lv nl no pl pt ro se si sk uk'.split(
  ' ',
);
const services = ['checkout', 'search', 'accounts', 'catalog', 'mail', 'billing', 'reviews', 'images'];
const teams = ['Sites', 'Services', 'Internal'];

/** Two of three projects are sites of countries, the others services and internal tools. */
function kindOf(i) {
  const round = Math.floor(i / 6);
  const site = [0, 1, 2, 3].indexOf(i % 6);
  if (site >= 0) {
    const at = round * 4 + site;
    const nth = Math.floor(at / countries.length);
    return { team: 'Sites', name: `site-${countries[at % countries.length]}${nth === 0 ? '' : nth + 1}` };
  }
  if (i % 6 === 5) return { team: 'Internal', name: `tool-${round + 1}` };
  const nth = Math.floor(round / services.length);
  return { team: 'Services', name: `${services[round % services.length]}${nth === 0 ? '' : `-${nth + 1}`}` };
}

const projects = times(count, (i) => ({ ...kindOf(i), i }));
const apex = (i) => `brand-${Math.floor(i / 6) + 1}.example`;
const members = times(Math.max(5, Math.ceil(count / 3)), (i) => ({
  uid: `user_${i + 1}`,
  email: `person.${i + 1}@acme.example`,
  role: i % 7 === 0 ? 'OWNER' : i % 3 === 0 ? 'DEVELOPER' : 'MEMBER',
}));

/** The variables of a project. Each person who added one had a habit of their own. */
const env = (name, i) => [
  { key: 'API_URL', value: 'https://api.acme.example', target: ['production'] },
  { key: 'API_URL', value: 'https://api.staging.acme.example', target: ['preview', 'development'] },
  { key: 'SITE', value: name, type: 'plain' },
  { key: 'LOG_LEVEL', value: ['info', 'warn', 'debug'][i % 3] },
  {
    key: 'DATABASE_URL',
    value: `postgres://${name}@db.acme.example`,
    type: 'sensitive',
    target: ['production'],
  },
  { key: 'DATABASE_URL', value: `postgres://${name}@staging.acme.example`, target: ['preview'] },
  {
    key: 'SESSION_SECRET',
    value: `session-secret-of-${name}`,
    type: 'sensitive',
    target: ['production', 'preview'],
  },
  ...times(3 + (i % 9), (n) => ({ key: `FEATURE_${n + 1}`, value: n % 2 ? 'on' : 'off', type: 'plain' })),
  ...(i % 5 === 0 ? [{ key: 'NEXT_BETA', value: '1', target: ['preview'], gitBranch: 'beta' }] : []),
];

const path = (value, op = 'pre') => ({ type: 'path', op, value });
const rule = (name, conditions, mitigate) => ({
  ...{ name, active: true, conditionGroup: [{ conditions }], action: { mitigate } },
});
const firewall = (i) => ({
  firewallEnabled: true,
  rules: [
    rule('no probes', [path('/wp-admin')], { action: 'deny' }),
    rule('office only', [path('/admin'), { type: 'ip_address', op: 'eq', value: '192.0.2.10', neg: true }], {
      action: 'deny',
    }),
    rule('slow down logins', [path('/login', 'eq')], {
      action: 'rate_limit',
      rateLimit: { algo: 'fixed_window', window: 60, limit: 20 + i, keys: ['ip'], action: 'deny' },
    }),
  ],
  ips: [{ hostname: '*', ip: `198.51.100.${i % 250}`, action: 'deny', notes: 'scanner' }],
});

const seed = {
  team: { slug: 'acme', name: 'Acme', members },
  projects: projects.map(({ name, team, i }) => ({
    name,
    framework: ['nextjs', 'nextjs', 'astro', 'vite', null, 'nextjs'][i % 6],
    nodeVersion: i % 4 === 0 ? '20.x' : '22.x',
    env: env(name, i),
    domains:
      team === 'Internal'
        ? []
        : [
            { name: `${name}.${apex(i)}` },
            { name: `www.${name}.${apex(i)}`, redirect: `${name}.${apex(i)}`, redirectStatusCode: 308 },
          ],
    deployments: times(1 + (i % 4), (n) => ({
      ...(n === 0 ? { target: 'production' } : {}),
      meta: { n: `${n}` },
    })),
    ...every(2, i, { firewall: firewall(i) }),
    ...every(4, i, { customEnvironments: [{ slug: 'staging', description: 'before each release' }] }),
    ...every(6, i, {
      bulkRedirects: times(25, (n) => ({ source: `/old/${n}`, destination: `/new/${n}`, statusCode: 308 })),
    }),
    ...every(7, i, { members: [{ uid: members[1 + (i % 3)].uid, role: 'PROJECT_DEVELOPER' }] }),
  })),
  // One zone for every six projects: mail servers, old verification records, and hosts of other providers.
  domains: times(Math.ceil(count / 6), (n) => ({
    name: `brand-${n + 1}.example`,
    records: [
      { type: 'MX', name: '@', value: 'mx1.mail.example', mxPriority: 10 },
      { type: 'MX', name: '@', value: 'mx2.mail.example', mxPriority: 20 },
      { type: 'TXT', name: '@', value: 'v=spf1 include:mail.example -all' },
      { type: 'TXT', name: '@', value: `search-verification=${1000 + n}` },
      { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=reject' },
      { type: 'CNAME', name: 'status', value: 'status.hosting.example' },
      ...times(8 + (n % 5), (at) => ({
        type: 'A',
        name: `host-${at + 1}`,
        value: `192.0.2.${(n * 16 + at) % 250}`,
      })),
    ],
  })),
  sharedEnv: ['SENTRY_DSN', 'ANALYTICS_ID', 'CDN_URL', 'SUPPORT_MAIL', 'MAPS_KEY'].map((key, n) => ({
    ...{ key, value: `${key.toLowerCase()}-of-acme`, target: ['production', 'preview'] },
    projects: projects.filter(({ i }) => i % (n + 2) === 0).map(({ name }) => name),
  })),
  accessGroups: teams.map((team) => ({
    name: team,
    projects: projects
      .filter((one) => one.team === team)
      .map(({ name }) => ({ project: name, role: 'PROJECT_DEVELOPER' })),
  })),
  webhooks: ['deploys', 'audit'].map((name) => ({
    ...{ url: `https://hooks.acme.example/${name}`, events: ['deployment.succeeded', 'deployment.error'] },
  })),
  globalConfigs: ['shop', 'banners', 'limits'].map((slug) => ({
    ...{ slug, items: Object.fromEntries(times(12, (n) => [`item-${n + 1}`, `value ${n + 1} of ${slug}`])) },
  })),
};

console.log(JSON.stringify(seed, null, 1));
