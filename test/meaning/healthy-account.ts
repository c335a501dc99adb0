import fc from 'fast-check';

/*
 * Generates configurations that do no harm, but are close to ones that do: paths that overlap, redirects next to each other, rules whose order is right,
 * mail records of several providers, public keys that look like secrets.
 */
const platform = 'cname.vercel-dns.com';
const words = ['shop', 'docs', 'blog', 'app', 'status', 'help'] as const;

/** A generated account, as YAML. */
export const healthyAccount: fc.Arbitrary<string> = fc
  .record({
    zones: fc.subarray(['example.com', 'acme.dev', 'site.co.uk'], { minLength: 1 }),
    names: fc.shuffledSubarray([...words], { minLength: 1 }),
    apex: fc.constantFrom('A', 'ALIAS', 'none'),
    wildcard: fc.boolean(),
    mail: fc.subarray([0, 1, 2, 3, 4]),
    other: fc.subarray([0, 1, 2, 3, 4, 5]),
    redirects: fc.subarray([0, 1, 2, 3, 4, 5]),
    routes: fc.subarray([0, 1, 2, 3, 4]),
    rules: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
    env: fc.subarray([0, 1, 2, 3, 4, 5]),
  })
  .map(formatAccount);

interface Choices {
  zones: string[];
  names: string[];
  apex: string;
  wildcard: boolean;
  mail: number[];
  other: number[];
  redirects: number[];
  routes: number[];
  rules: number[];
  env: number[];
}

function formatAccount(choices: Choices): string {
  const { zones, names } = choices;
  const projects = names.map((name, index) => {
    const zone = zones[index % zones.length]!;
    return `  ${name}:\n${projectLines(name, zone, index < zones.length, choices).join('\n')}`;
  });
  const records = zones.map(
    (zone, index) =>
      `  ${zone}:\n    records:\n${recordLines(
        zone,
        names.filter((_, at) => at % zones.length === index),
        choices,
        index < names.length,
      ).join('\n')}`,
  );
  return `projects:\n${projects.join('\n')}\ndomains:\n${records.join('\n')}\n`;
}

/** `isMain`: the project also serves the zone itself, and `www` redirects there. */
function projectLines(name: string, zone: string, isMain: boolean, choices: Choices): string[] {
  const { apex, wildcard } = choices;
  const hosts = [
    `${name}.${zone}: {}`,
    ...(isMain && apex !== 'none'
      ? [`${zone}: {}`, `www.${zone}: { redirect: ${zone}, redirectStatusCode: 308 }`]
      : []),
    ...(isMain && wildcard ? [`"*.${zone}": {}`] : []),
  ];
  const here = `https://${name}.${zone}`;
  const redirects = [
    '/old: /new',
    '/a: /b',
    '/slash: /slash/',
    '/Case: { destination: /other, caseSensitive: true }',
    `/elsewhere: { destination: "${here}/home", statusCode: 308 }`,
    '/away: { destination: "https://partner.example.org/x?from=us", query: true }',
  ];
  const routes = [
    '{ name: exact, srcSyntax: equals, route: { src: /guide/start, dest: /guide, status: 308 } }',
    '{ name: rest, srcSyntax: path-to-regexp, route: { src: "/manual/:path*", dest: "/handbook/:path*" } }',
    '{ name: german, srcSyntax: equals, route: { src: /land, dest: /de/land, status: 307, has: [{ type: header, key: accept-language, value: "de.*" }] } }',
    '{ name: english, srcSyntax: equals, route: { src: /land, dest: /en/land, status: 307 } }',
    '{ name: headers, srcSyntax: regex, route: { src: "^/(.*)$", headers: { x-frame-options: DENY }, continue: true } }',
  ];
  const rule = (ruleName: string, action: string, conditions: string, isActive = true) =>
    `{ name: ${ruleName}, active: ${isActive}, action: { mitigate: { action: ${action} } }, conditionGroup: [{ conditions: [${conditions}] }] }`;
  const rules = [
    rule('log-all', 'log', '{ type: path, op: pre, value: / }'),
    rule('health', 'bypass', '{ type: path, op: eq, value: /api/health }'),
    rule(
      'partner',
      'bypass',
      '{ type: path, op: pre, value: /api }, { type: ip_address, op: eq, value: 203.0.113.9 }',
    ),
    rule(
      'post',
      'deny',
      '{ type: path, op: pre, value: /api }, { type: method, op: eq, value: POST }, { type: header, key: x-token, op: nex }',
    ),
    rule('api', 'challenge', '{ type: path, op: pre, value: /api }'),
    rule('wordpress', 'deny', '{ type: path, op: re, value: "^/wp-(admin|login)" }'),
    rule(
      'country',
      'deny',
      '{ type: geo_country, op: inc, value: [KP, XX] }, { type: path, op: neq, value: /status }',
    ),
    rule('maintenance', 'deny', '{ type: path, op: pre, value: / }', false),
  ];
  const env = [
    'NEXT_PUBLIC_URL: https://api.example.net/v1',
    'NEXT_PUBLIC_STRIPE_KEY: pk_live_51Habcdefghijklmnopqrstuv',
    'NEXT_PUBLIC_MAPS: AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'NEXT_PUBLIC_SENTRY_DSN: https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/2',
    'STRIPE_SECRET: { value: "${secret.stripe}", type: sensitive, target: [production] }',
    'LOG_LEVEL: { value: debug, target: [preview] }',
  ];
  const picked = (list: readonly string[], indexes: readonly number[]) =>
    list.filter((_, index) => indexes.includes(index));
  return [
    `    domains: { ${hosts.join(', ')} }`,
    `    bulkRedirects: { ${picked(redirects, choices.redirects).join(', ')} }`,
    `    routes: [${picked(routes, choices.routes).join(', ')}]`,
    `    env: { ${picked(env, choices.env).join(', ')} }`,
    `    firewall: { firewallEnabled: true, rules: [${picked(rules, choices.rules).join(', ')}] }`,
  ];
}

/** `isServed`: some project has its hosts in the zone. */
function recordLines(zone: string, names: string[], choices: Choices, isServed: boolean): string[] {
  const { apex, wildcard } = choices;
  const mail = [
    '{ type: MX, name: "@", value: mx1.mailhost.example, mxPriority: 10 }',
    '{ type: TXT, name: "@", value: "v=spf1 include:_spf.mailhost.example include:sendgrid.example ip4:192.0.2.0/24 ~all" }',
    '{ type: TXT, name: _dmarc, value: "v=DMARC1; p=reject; rua=mailto:dmarc@mailhost.example" }',
    '{ type: CNAME, name: k1._domainkey, value: dkim.mailhost.example }',
    '{ type: TXT, name: "@", value: "site-verification=v=spf1 is only a word here" }',
  ];
  const other = [
    '{ type: CNAME, name: support, value: acme.helpdesk.example }',
    '{ type: CNAME, name: legacy, value: origin }',
    '{ type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 1, port: 5060, target: sip.voip.example } }',
    '{ type: NS, name: lab, value: ns1.lab-dns.example }',
    '{ type: CAA, name: "@", value: \'0 issue "letsencrypt.org"\' }',
    '{ type: TXT, name: send, value: "v=spf1 include:bounce.example -all" }',
  ];
  const hasWildcard = wildcard && isServed;
  const apexRecord =
    apex === 'A'
      ? '{ type: A, name: "@", value: 76.76.21.21 }'
      : `{ type: ALIAS, name: "@", value: ${platform} }`;
  return [
    ...names.map((name) => `{ type: CNAME, name: ${name}, value: ${platform} }`),
    ...(isServed && apex !== 'none' ? [apexRecord, `{ type: CNAME, name: www, value: ${platform} }`] : []),
    ...(hasWildcard ? [`{ type: CNAME, name: "*", value: ${platform} }`] : []),
    '{ type: A, name: origin, value: 192.0.2.7 }',
    ...mail.filter((_, index) => choices.mail.includes(index)),
    ...other.filter((_, index) => choices.other.includes(index)),
    `{ type: TXT, name: of-${zone.split('.')[0]}, value: hello }`,
  ].map((line) => `      - ${line}`);
}
