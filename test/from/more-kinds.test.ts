import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { type Account, accountWith, textIn } from './account.ts';
import { filteredAnomalies, moreResources } from './more-resources.ts';
import { stateOf } from './state.ts';

const story = oneStoryIn(4);

const yaml = `stack: acme
platform: { team: acme }
$allow: [cost, remove-access]
secrets: { header: {}, bypass: {}, sessions: {}, cert: {}, cert-key: {}, cert-ca: {} }
teams: { acme: { name: Acme, description: widgets, remoteCaching: { enabled: true }, hideIpAddresses: true } }
members: { grace@example.com: { role: MEMBER } }
projects:
  web:
    framework: nextjs
    resourceConfig: { functionDefaultMemoryType: standard_legacy, functionDefaultTimeout: 100 }
    routes:
      - { name: docs, srcSyntax: path-to-regexp, route: { src: "/docs/:path*", dest: "/guides/:path*", status: 308 } }
      - name: promo
        srcSyntax: equals
        description: campaign
        route:
          src: /promo
          dest: /campaigns/eu
          has: [{ type: header, key: x-region, value: eu }]
          missing: [{ type: cookie, key: preview, value: "1" }]
          transforms: [{ type: response.headers, op: set, target: { key: x-promo }, args: eu }]
      - { name: last, enabled: false, srcSyntax: equals, route: { src: /old, status: 410 } }
    bulkRedirects:
      /old-path: /new-path
      /blog: { destination: https://example.com/blog, statusCode: 308, caseSensitive: true, query: true }
    crons: { enabled: false }
    deploymentRetention: { expiration: 3m, expirationErrored: unlimited }
    integrations: { icfg_one: {} }
    sharedEnvLinks: { env_elsewhere: {} }
    tracingConfig: { enabled: true, sampling: [{ type: head_sampling, rate: 0.2, env: production, requestPath: /api }] }
    connectConfigurations: { networks: [{ envId: production, connectConfigurationId: "\${networks.backend.id}", passive: false, buildsEnabled: true }] }
    checks: { e2e: { requires: deployment-url, targets: [production], source: { kind: git-provider, provider: github, externalCheckName: e2e } } }
    protectionBypass:
      ci: { secret: "\${secret.bypass}", note: ci pipeline }
      qa: { note: preview QA }
    deployments: { one: { gitSource: { type: github, org: acme, repo: web, ref: main } } }
    aliases: { demo.vercel.app: { deploymentId: "\${projects.web.deployments.one.id}", protectionBypasses: { '*': {} } } }
    featureFlags:
      checkout:
        kind: string
        variants: [{ id: control, value: control }, { id: treatment, value: treatment }]
        environments:
          production: &on
            { active: true, pausedOutcome: &off { type: variant, variantId: control }, fallthrough: { type: variant, variantId: treatment } }
          preview: *on
          development: { <<: *on, active: false }
      contract: { kind: number, variants: [{ id: low, value: 1 }], environments: { production: &low { active: false, pausedOutcome: &one { type: variant, variantId: low }, fallthrough: *one }, preview: *low, development: *low } }
    segments:
      staff: { label: Staff, hint: "", data: { include: { user: { email: [{ value: ada@example.com }, { value: bob@example.com }] } }, exclude: { user: { id: [{ value: c-1 }] } } } }
    featureFlagSdkKeys: [{ environment: production, type: server, label: backend, $secretTo: discard }]
    registryRepositories: { api: { permissions: { team_other: {} } } }
    members: { user_grace: { role: PROJECT_DEVELOPER }, alan@example.com: { role: PROJECT_VIEWER } }
  named: { resourceConfig: { functionDefaultTimeout: 30 } }
accessGroups: { Frontend: { members: { user_grace: {} } } }
networks: { backend: { region: iad1, cidr: 10.0.0.0/16 } }
kmsIssuers:
  sessions: { algorithm: ES256, signingKey: { importKeyId: "2027-01", importKey: "\${secret.sessions}" }, policies: { web: { environments: [production], tokenClaims: { aud: shop } } } }
  plain: { policies: { named: { environments: [preview] } } }
globalConfigs: { texts: { items: { banner: Sale } } }
blobStores: { files: { connections: { named: { envVarEnvironments: [production], envVarPrefix: FILES } } } }
oidcPolicies: { ci: { clientId: cl_one, issuerUrl: https://issuer.example.com, claims: [{ name: aud, values: [{ value: web }] }], permissions: ["*"], resources: { projectIds: ["*"] } } }
webhooks: { pager: { url: https://pager.example.com, events: [alerts.triggered], $secretTo: discard } }
alertRules:
  errors:
    type: built-in
    ruleScope: { type: include, projectIds: ["\${projects.web.id}"] }
    triggers: { mode: selected, items: ${JSON.stringify(filteredAnomalies)} }
    matchMinimumSeverityLevel: high
    notifications: { pager: { type: webhook, webhookId: "\${webhooks.pager.id}", minimumSeverityLevel: critical }, all: { type: slack, configId: icfg_one, channelId: C01 } }
  checkout:
    type: custom
    ruleScope: { type: project, projectId: "\${projects.web.id}" }
    severity: low
    tags: [shop]
    evaluation: { window: 5m, query: { metrics: { failed_ones: { metric: vercel.request.count, aggregation: count, filter: "httpStatus >= 500" } }, outputs: [failed_ones], groupBy: [route] } }
    trigger: { type: anomaly, output: failed_ones, standardDeviations: 3 }
oauthApps: { shop: { name: Shop, scopes: [openid, email], redirectUris: [https://shop.example.com/callback], homePageUri: https://shop.example.com, permissions: ["read:project"] } }
drains:
  traces:
    projectIds: [web]
    schemas: { trace: {} }
    sampling: [{ type: head_sampling, rate: 0.8, env: production, requestPath: /api }]
    delivery: { type: otlphttp, endpoint: { traces: https://otel.example.com/v1/traces }, encoding: proto, headers: { x-key: "\${secret.header}" } }
  audit: { schemas: { audit_log: {} }, delivery: { type: http, endpoint: https://siem.example.com, encoding: ndjson, compression: gzip } }
  audit-s3: { schemas: { audit_log: {} }, delivery: { type: s3, endpoint: "s3://audit/acme", encoding: ndjson, compression: none, fileStructure: hive, roleArn: "arn:aws:iam::1:role/x", region: eu-central-1 } }
authTokens: { deploys: { $secretTo: discard } }
`;

let account: Account;
beforeAll(async () => {
  account = await accountWith(
    yaml,
    {
      TRUEUP_SECRET_header: 'canary-of-a-header',
      TRUEUP_SECRET_bypass: 'canary00canary00canary00canary00',
      TRUEUP_SECRET_sessions: 'canary-key',
    },
    {
      team: {
        id: 'team_acme',
        members: [
          { uid: 'user_grace', email: 'grace@example.com', role: 'MEMBER', confirmed: true },
          { uid: 'user_alan', email: 'alan@example.com', role: 'MEMBER', confirmed: true },
        ],
      },
      sharedEnv: [{ id: 'env_elsewhere', key: 'ELSEWHERE', value: '1' }],
      certificates: [{ id: 'cert_1', cns: ['shop.example.com', '*.shop.example.com'], autoRenew: false }],
    },
  );
});

story(
  'what is a resource of its own there, and a field or a part of something here, plans to nothing',
  async () => {
    const text = stateOf(moreResources(account.id));
    const shell = await account.beside().write({ 'state.json': text });
    const ran = await shell.run(['from', 'terraform', 'state.json', '--out-dir', 'out']);
    expect(ran.status, ran.all).toBe(0);
    expect(ran.stderr).toContain('Verified: its plan sends nothing.');
    await expect(
      `${textIn(join(shell.folder, 'out'))}\n--- told\n${ran.stderr}`.replaceAll(
        /\b(prj|iss|cert|ag|ccfg|repo|store|hook|cl|ar)_\w+/g,
        '$1_ID',
      ),
    ).toMatchFileSnapshot('golden/more-kinds.txt');
    expect(textIn(join(shell.folder, 'out')) + ran.all).not.toContain('canary');
  },
);
