import type { Seed } from '../../providers/hosting/twin/index.ts';
import { keyText } from '../support/keys.ts';

/** What must not be found anywhere but in the account, the environment and the YAML. */
export const canaries = {
  token: 'canary-token-93aa',
  otherToken: 'canary-token-of-another-5e02',
  theirs: 'canary-theirs-a4d1',
  key: keyText(),
  database: 'canary-database-7b21',
  rotated: 'canary-rotated-0c3e',
  verification: 'canary-verification-e1d7',
  signing: `canary-signing-${'4'.repeat(32)}`,
  header: 'canary-header-52d0',
  literal: 'canary-literal-4f9d',
  literalChanged: 'canary-literal-2-88b0',
};

export const environment = {
  TRUEUP_TOKEN: canaries.token,
  TRUEUP_LEDGER_KEY: canaries.key,
  DATABASE: canaries.database,
  ROTATED: canaries.rotated,
  VERIFICATION: canaries.verification,
  SIGNING: canaries.signing,
  HEADER: canaries.header,
  TRUEUP_ALLOW_ENV: 'DATABASE,ROTATED,VERIFICATION,SIGNING,HEADER',
};

/** An account in which others have something too, some of it just like ours. */
export const seed: Seed = {
  projects: [
    {
      name: 'theirs',
      env: [{ key: 'LOG_LEVEL', value: canaries.theirs, type: 'encrypted', target: ['production'] }],
      protectionBypasses: [{ secret: `canary${'t'.repeat(26)}`, note: 'made' }],
    },
  ],
  domains: [{ name: 'theirs.example', records: [{ type: 'A', name: '', value: '192.0.2.1' }] }],
  webhooks: [{ url: 'https://hooks.example.com/deploys', events: ['deployment.error'] }],
};

const header = `stack: demo
platform: { team: acme }
secrets:
  database: { env: DATABASE }
  rotated: { env: ROTATED }
  verification: { env: VERIFICATION }
  signing: { env: SIGNING }
  header: { env: HEADER }
`;

const drain = (endpoint: string) => `drains:
  logs:
    schemas: { log: {} }
    delivery:
      type: http
      endpoint: ${endpoint}
      encoding: json
      headers: { authorization: "Bearer \${secret.header}" }
      secret: "\${secret.signing}"
`;

const rule = (name: string, action: string) =>
  `        - { name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: ${action} } } }\n`;

/** A stack with a bit of everything, as it is at first. */
const first = `${header}projects:
  web:
    framework: nextjs
    env:
      DATABASE: { value: "postgres://u:\${secret.database}@db", type: sensitive, target: [production] }
      LITERAL: { value: ${canaries.literal}, type: sensitive, target: [preview] }
      PLAIN: { value: one, type: plain }
    domains:
      www.example.com: {}
      example.com: { redirect: www.example.com, redirectStatusCode: 308 }
    firewall:
      firewallEnabled: true
      rules:
${rule('admin', 'deny')}${rule('old', 'log')}    protectionBypass: { e2e: { note: made } }
  stays: {}
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.7 }
      - { type: TXT, name: verify, value: "\${secret.verification}" }
${drain('https://logs.example.com/one')}webhooks:
  deploys:
    url: https://hooks.example.com/deploys
    events: [deployment.error, deployment.succeeded]
    $replace: allow
    $secretTo: { file: kept/deploys }
`;

/** The same after a change of nearly all of it. */
const second = `${header}projects:
  web:
    framework: astro
    env:
      DATABASE: { value: "postgres://u:\${secret.rotated}@db", type: sensitive, target: [production] }
      LITERAL: { value: ${canaries.literalChanged}, type: sensitive, target: [preview] }
      MORE: { value: two, type: plain }
    domains:
      www.example.com: {}
    firewall:
      firewallEnabled: true
      rules:
${rule('new', 'challenge')}${rule('admin', 'deny')}    protectionBypass: { e2e: { note: made }, more: { note: another } }
  stays: {}
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.8 }
      - { type: TXT, name: verify, value: "\${secret.verification}" }
      - { type: MX, name: "@", value: mx.example.net, mxPriority: 5 }
${drain('https://logs.example.com/two')}webhooks:
  deploys:
    url: https://hooks.example.com/changed
    events: [deployment.error, deployment.succeeded]
    $replace: allow
    $secretTo: { file: kept/deploys }
`;

/** All of it gone, but for what keeps the configuration from being empty. */
const last = `${header}projects: { stays: {} }
removed:
  - { at: projects/web, delete: true }
  - { at: domains/example.com, delete: true }
`;

export type Stage = 'first' | 'second' | 'last';
export const stages: Record<Stage, string> = { first, second, last };
