import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { noteSample } from '../support/cost.ts';
import { keyText } from '../support/keys.ts';
import { all } from '../support/sweep.ts';

/** A secret in each kind of place. Without the secret, only its form tells that it is one, so each has letters and digits in turn. */
const canaries = {
  plain: 'canary-plain-1f7b2',
  encrypted: 'canary-encrypted-2f7b2',
  sensitive: 'canary-sensitive-3f7b2',
  command: 'canary-command-4f7b2',
  hook: 'canary-hook-5f7b2',
  txt: 'canary-txt-6f7b2',
  header: 'canary-header-7f7b2',
  item: 'canary-item-8f7b2',
  data: 'canary-data-9f7b2',
};
/** Nothing but the environment tells that this is a secret, and no configuration uses it. */
const unused = 'canary of ordinary words';
const token = 'canary-of-the-token';
const named = Object.keys(canaries).filter((name) => name !== 'data');

/** The configuration with `secret(name)` in each place. */
const yamlWith = (secret: (name: string) => string) => `stack: demo
platform: { team: acme }
secrets: { ${named.map((name) => `${name}: {}`).join(', ')} }
variables: { data: { file: data.csv } }
projects:
  web:
    buildCommand: "echo ${secret('command')}"
    devCommand: npm start
    env:
      PLAIN: { value: "${secret('plain')}", type: plain, target: [production] }
      AROUND: { value: "https://ada:${secret('encrypted')}@db.example.com/", target: [production] }
      SENSITIVE: { value: "${secret('sensitive')}", type: sensitive, target: [production] }
      DATA: { value: "\${var.data.one.value}", target: [production] }
    routes:
      - { name: guarded, route: { src: /a, headers: { x-from: "${secret('header')}" } } }
domains:
  example.com:
    records: [{ type: TXT, name: verify, value: "v=${secret('txt')}" }]
webhooks:
  deploys: { url: "https://hooks.example.com/${secret('hook')}", events: [deployment.error], $secretTo: discard }
globalConfigs:
  shop: { items: { limits: { value: { perUser: 5, caller: { password: "${secret('item')}" } } } } }
`;
const withSecrets = yamlWith((name) => `\${secret.${name}}`);
const withLiterals = yamlWith((name) => `open-${name}`).replace('${var.data.one.value}', 'open-data');

const formats = ['text', 'json', 'terraform', 'html', 'markdown', 'gitlab'];
const commands: string[][] = [
  ...formats.map((format) => ['plan', '--format', format]),
  ['plan', '--requests', '--verbose'],
  ['plan', '--out', 'plan.json'],
  ...[
    'projects/web',
    'webhooks/deploys',
    'globalConfigs/shop/items/limits',
    'domains/example.com/records/verify/TXT',
  ].map((address) => ['blame', address]),
  ['blame', 'projects/web/env/PLAIN', '--json'],
  ['accept', '--all', '--auto-approve'],
  ['export', '--team', 'acme'],
  ['export', '--team', 'acme', '--out', 'exported.yaml', '--values', 'omit', '--force'],
  ...['project', 'projectEnvVar', 'projectRoute', 'dnsRecord', 'webhook', 'globalConfigItem'].map(
    (kind, index) => ['get', kind, ...(index % 2 === 0 ? ['--json'] : [])],
  ),
  ['graph', '--operations'],
  ['log'],
  ['log', '--run', '1', '--json'],
  ['render', '--origins'],
  ['secrets', '--json'],
  ['validate', '--format', 'sarif'],
  ['undo', '1'],
];

/** A row of the matrix. */
interface Situation {
  command: string[];
  ledger: 'as written' | 'of another form' | 'none';
  hasKey: boolean;
  hasSecrets: boolean;
  yaml: string;
}

const product: Situation[] = commands.flatMap((command) =>
  (['as written', 'of another form', 'none'] as const).flatMap((ledger) =>
    [true, false].flatMap((hasKey) =>
      [true, false].flatMap((hasSecrets) =>
        [withSecrets, withLiterals].map((yaml) => ({ command, ledger, hasKey, hasSecrets, yaml })),
      ),
    ),
  ),
);

/** Rows in which each two values of two columns meet: each new row is the one with the most pairs that have not met. */
function pairwise(rows: Situation[]): Situation[] {
  const pairsOf = (row: Situation): string[] => {
    const values = Object.entries(row).map(([name, value]) => `${name} ${value}`);
    return values.flatMap((value, index) => values.slice(index + 1).map((other) => `${value} with ${other}`));
  };
  const candidates = rows.map((row) => ({ row, pairs: pairsOf(row) }));
  const open = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Situation[] = [];
  while (open.size > 0) {
    const gain = (pairs: string[]) => pairs.filter((pair) => open.has(pair)).length;
    const best = candidates.reduce((a, b) => (gain(b.pairs) > gain(a.pairs) ? b : a));
    for (const pair of best.pairs) open.delete(pair);
    chosen.push(best.row);
  }
  return chosen;
}

/** The text of all files that a run wrote or could have changed. */
const written = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'data.csv')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

it('A live value is hidden, and not written by accept or export, if it holds a secret of the run, if a secret was put there, or if nothing proves its origin and it looks like a credential.', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': withSecrets,
    'data.csv': `name,value\none,${canaries.data}\n`,
  });
  const twin = await shell.withTwin({ domains: [{ name: 'example.com' }] });
  const base = { ...shell.env, TRUEUP_TOKEN: token };
  const key = { TRUEUP_LEDGER_KEY: keyText() };
  const secrets: Record<string, string> = Object.fromEntries(
    named.map((name) => [`TRUEUP_SECRET_${name}`, canaries[name as keyof typeof canaries]]),
  );
  secrets.TRUEUP_SECRET_unused = unused;
  const run = (command: string[]) =>
    shell.run(['get', 'log'].includes(command[0]!) ? command : [...command, '--allow-files', 'data.csv']);
  shell.env = { ...base, ...key, ...secrets };
  const applied = await run(['apply', '--auto-approve', '--verbose', '--requests']);
  expect(applied.status, applied.all).toBe(0);
  // Somebody else put secrets of the run into plain fields, declared and undeclared ones.
  const [project] = twin.account.projects;
  Object.assign(project!, {
    installCommand: `npm i --token=${canaries.plain}`,
    devCommand: `echo ${Buffer.from(canaries.command).toString('base64')}`,
    buildCommand: `echo ${canaries.txt}`,
    outputDirectory: canaries.item,
    rootDirectory: `apps/${encodeURIComponent(unused)}`,
  });
  project!.env.find((variable) => variable.key === 'PLAIN')!.value = `v ${canaries.hook}`;
  twin.add({
    webhooks: [{ url: `https://hooks.example.com/?x=${canaries.txt}`, events: ['deployment.error'] }],
  });
  const ledgerPath = join(shell.folder, '.trueup/ledger/demo.json');
  const ledger = readFileSync(ledgerPath, 'utf8');
  const otherForm = ledger.replace(/"form":\s*(\d+)/g, (_, form) => `"form": ${Number(form) + 1}`);
  const texts: { situation: string; text: string; isPublic?: (secret: string) => boolean }[] = [
    { situation: 'apply', text: applied.all + written(shell.folder) },
  ];

  const situations = all ? product : pairwise(product);
  noteSample(situations.length, product.length);
  for (const { command, hasKey, hasSecrets, yaml, ...about } of situations) {
    shell.env = { ...base, ...(hasKey ? key : {}), ...(hasSecrets ? secrets : {}) };
    writeFileSync(join(shell.folder, 'trueup.yaml'), yaml);
    if (about.ledger === 'none') rmSync(ledgerPath, { force: true });
    else writeFileSync(ledgerPath, about.ledger === 'as written' ? ledger : otherForm);
    const ran = await run(command);
    const situation = `${command.join(' ')} (ledger ${about.ledger}, key ${hasKey}, secrets ${hasSecrets}, literals ${yaml === withLiterals})`;
    // Everybody can ask for DNS content, so it is shown unless something proves that it is a secret.
    const isPublic = (secret: string) =>
      secret === canaries.txt && about.ledger === 'none' && !hasSecrets && yaml === withLiterals;
    texts.push({ situation, text: ran.all + written(shell.folder), isPublic });
    rmSync(join(shell.folder, 'exported.yaml'), { force: true });
    if (hasSecrets) expect(ran.all, situation).not.toContain(encodeURIComponent(unused));
  }
  const secretTexts = [
    ...Object.values(canaries),
    token,
    keyText(),
    Buffer.from(canaries.command).toString('base64'),
  ];
  const leaks = texts.flatMap(({ situation, text, isPublic }) =>
    secretTexts
      .filter((secret) => text.includes(secret) && !isPublic?.(secret))
      .map((secret) => `${situation}: ${secret} in ...${around(text, secret)}...`),
  );
  expect(leaks).toEqual([]);
});

const around = (text: string, secret: string): string => {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 80), at + secret.length + 20);
};

it('A plan without a key looks the same whether or not a declared value equals the live value of a secret field.', async () => {
  const variable = (target: string) => `{ value: the-guess, target: [${target}] }`;
  const yaml = `stack: shop
platform: { team: acme }
projects: { web: { env: { A: ${variable('preview')}, B: ${variable('production, preview')} } } }
sharedEnv: { C: ${variable('production')} }
`;
  const planFor = async (live: string, policy: 'on' | 'off', option: string): Promise<string> => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin({
      projects: [
        {
          name: 'web',
          env: [
            { key: 'A', value: live, type: 'encrypted', target: ['preview'] },
            { key: 'B', value: live, type: 'encrypted', target: ['production'] },
          ],
        },
      ],
      sharedEnv: [{ key: 'C', value: live, type: 'encrypted', target: ['production'] }],
    });
    const [team] = twin.account.teams;
    team!.sensitiveEnvironmentVariablePolicy = policy;
    const ran = await shell.run(['plan', '--requests', option]);
    const ids = [...Object.values(twin.account.projects[0]!.env), ...twin.account.sharedEnv].map(
      ({ id }) => id,
    );
    const shown = ids.reduce((text, id) => text.replaceAll(id, 'ID'), ran.all).replaceAll(twin.url, 'URL');
    return `${ran.status} ${shown}`;
  };
  for (const [policy, option] of [
    ['on', '--detailed-exitcode'],
    ['off', '--rehearse'],
  ] as const) {
    const [ofGuess, ofOther] = await Promise.all(
      ['the-guess', 'the-other'].map((live) => planFor(live, policy, option)),
    );
    expect(ofGuess).toEqual(ofOther);
    expect(ofGuess).toContain('not compared before the first apply');
    expect(ofGuess).toContain('3 secrets are compared by the first apply');
  }
});

it('A warning about a member that only the platform knows hides a secret in the name of that member.', async () => {
  const yaml = (address: string) =>
    `stack: demo
platform: { team: acme }
secrets: { command: {} }
projects:
  web:
    buildCommand: "echo \${secret.command}"
    trustedIps: { addresses: [{ value: ${address} }], protectionMode: exclusive, deploymentType: production }
`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml('192.0.2.1') });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText(), TRUEUP_SECRET_command: canaries.command };
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  const { trustedIps } = twin.account.projects[0] as unknown as { trustedIps: { addresses: object[] } };
  Object.assign(trustedIps.addresses[0]!, { [`x\nError: ${canaries.command}`]: 1 });
  await shell.write({ 'trueup.yaml': yaml('192.0.2.2') });
  const { all: shown } = await shell.run(['plan']);
  expect(shown).toMatch(/Warning: .*the change\s+removes `trustedIps.addresses\[\]\.x/);
  expect(shown).toContain('(secret)');
  expect(shown).not.toContain(canaries.command);
  expect(shown).not.toMatch(/^Error: \(secret/m);
});
