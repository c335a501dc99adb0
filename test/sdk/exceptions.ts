import type { Body } from './filling-parts.ts';
import { plainKinds } from './plain-sdk.ts';

/** What the SDK cannot do, or what no plan can show as that alone: each with its reason, and proven to be so still. */

/** A kind of which the SDK makes no object here. `writes`: where a write with a body would have to go. */
export const unmade: { kind: string; writes?: RegExp; reason: string }[] = [
  {
    kind: 'rollingRelease',
    writes: /^P\w+ .*\/rolling-release\/config$/,
    reason: 'the SDK has the operation without a body',
  },
  {
    kind: 'aiGatewayRule',
    writes: /^P\w+ .*\/ai-gateway\/rules$/,
    reason: 'the SDK has the operations without a body',
  },
  {
    kind: 'aiGatewayBudget',
    writes: /^P\w+ .*\/ai-gateway\/budgets$/,
    reason: 'the SDK does not have the operation',
  },
  {
    kind: 'authToken',
    reason: "what is made with a token of the SDK is the user's, and no part of the account that is filled",
  },
  {
    kind: 'sandbox',
    writes: /^P\w+ .*\/sandboxes$/,
    reason: 'the SDK does not have the operation',
  },
  {
    kind: 'aiGatewayBudgetDefault',
    writes: /^P\w+ .*\/budgets\/defaults$/,
    reason: 'the SDK does not have the operation',
  },
  {
    kind: 'aiGatewayVirtualModel',
    writes: /^P\w+ .*\/virtual-model-configs/,
    reason: 'the SDK has the operations without a body',
  },
  { kind: 'team', reason: 'an export leaves out the settings of the team' },
  { kind: 'sharedEnvLink', reason: 'an export declares all links with the variable itself' },
  ...Object.entries({
    crons: /\/crons$/,
    deployHook: /\/deploy-hooks$/,
    deploymentRetention: /\/deployment-expiration$/,
    tracingConfig: /\/drains\/tracing\/config$/,
    integrationAccess: /\/integrations\/configuration\/\{\w+\}\/project/,
    oauthApp: /\/oauth-apps$/,
    oauthClientSecret: /\/oauth-apps\/\{\w+\}\/secret$/,
    oidcPolicy: /\/oidc-federation\/policies$/,
    alertRule: /\/alert-rules$/,
    alertNotification: /\/alert-rules\/\{\w+\}\/notifications/,
    blobConnection: /\/stores\/\{\w+\}\/connections$/,
  }).map(([kind, writes]) => ({ kind, writes, reason: 'the SDK has only operations of the catalog' })),
  ...[
    'marketplaceInstallation',
    'marketplaceResource',
    'resourceSecret',
    'experimentationItem',
    'experimentationConfig',
    'integrationStore',
    'integrationConnection',
  ].map((kind) => ({ kind, reason: 'it is in an installation, which a person makes' })),
  { kind: 'avatar', reason: 'the SDK sends text only, and this is a picture' },
  { kind: 'blobStore', writes: /\/stores\/blob$/, reason: 'the SDK sends no token with it' },
  ...['domainAutoRenew', 'domainNameservers'].map((kind) => ({
    kind,
    reason: 'an account is filled with what costs nothing, and these are of domains that were bought',
  })),
  ...['deployment', 'alias', 'aliasBypass'].map((kind) => ({
    kind,
    reason: 'nobody but the one who declared it knows it: an account has many of them by itself',
  })),
  {
    kind: 'speedInsights',
    writes: /\/speed-insights\/toggle$/,
    reason: 'the SDK sends no token with it',
  },
  {
    kind: 'webAnalytics',
    writes: /\/web\/insights\/toggle$/,
    reason: 'the SDK sends no token with it',
  },
];

export interface Exception {
  kind: string;
  path: RegExp;
  /** Only of objects that are like this in the account; of all without it. */
  where?: (raw: Body) => boolean;
  reason: string;
  /** Where a write with a body would have to go: the SDK has none. */
  writes?: RegExp;
}

/** Fields that the SDK cannot change alone, or whose change no plan can show as that alone. */
export const unchangeable: Exception[] = [
  ...plainKinds.flatMap(({ kind, update }): Exception[] =>
    update === undefined ? [{ kind, path: /./, reason: 'the SDK has no operation that changes it' }] : [],
  ),
  {
    kind: 'webhook',
    path: /./,
    writes: /^P\w+ .*\/webhooks\/\{/,
    reason: 'the platform has no operation that changes a webhook',
  },
  {
    kind: 'teamMember',
    path: /./,
    reason: 'an account is changed by what is in a project and named by its path, and its people stay',
  },
  {
    kind: 'globalConfigItem',
    path: /./,
    writes: /^P\w+ .*\/(edge|global)-config\/\{\w+\}\/items/,
    reason: 'the SDK dropped the operation that changes items',
  },
  {
    kind: 'project',
    path: /^gitRepository/,
    writes: /^P\w+ \/v\d+\/projects\/\{\w+\}\/link/,
    reason: 'the SDK has no operation that links a repository',
  },
  {
    kind: 'project',
    path: /^productionBranch$/,
    writes: /^P\w+ .*\/branch$/,
    reason: 'the SDK has no operation that changes the branch',
  },
  {
    kind: 'network',
    path: /./,
    reason: 'only a creation sets more than its name',
  },
  {
    kind: 'connector',
    path: /^(type|service|connectionMethod|target)$/,
    reason: 'only a creation sets it',
  },
  { kind: 'certificate', path: /./, reason: 'the platform has no operation that changes a certificate' },
  {
    kind: 'microfrontendsProject',
    path: /^isDefaultApp$/,
    reason: 'another project of the group takes its place',
  },
  { kind: 'kmsIssuer', path: /^algorithm$/, reason: 'only a creation sets it' },
  { kind: 'privateLink', path: /^(vercelRegion|awsServiceName)$/, reason: 'only a creation sets it' },
  { kind: 'sandboxDrive', path: /./, reason: 'the platform has no operation that changes a drive' },
  {
    kind: 'registryRepository',
    path: /^public$/,
    writes: /^P(UT|ATCH) .*\/vcr\/repository\/\{\w+\}$/,
    reason: 'the SDK has no operation that changes a repository',
  },
  {
    kind: 'firewallBypass',
    path: /./,
    writes: /^P(UT|ATCH) .*\/firewall\/bypass/,
    reason: 'the platform has no operation that changes a bypass',
  },
  { kind: 'projectDomain', path: /^customEnvironmentId$/, reason: 'only a creation sets it' },
  { kind: 'drain', path: /^delivery\.type$/, reason: 'another type needs other members beside it' },
  {
    kind: 'drain',
    path: /^delivery\.headers$/,
    where: ({ delivery }) => Object.values((delivery as { headers: Body }).headers).includes(''),
    reason: 'no run can be given an empty secret: it is not compared, which the plan says',
  },
  {
    kind: 'projectEnvVar',
    path: /^value$/,
    where: ({ type, value }) => type !== 'plain' && value === '',
    reason: 'no run can be given an empty secret: it is not compared, which the plan says',
  },
  {
    kind: 'sharedEnvVar',
    path: /^value$/,
    where: ({ value }) => value === '',
    reason: 'no run can be given an empty secret: it is not compared, which the plan says',
  },
  { kind: 'protectionBypass', path: /^secret$/, reason: 'another secret is another bypass' },
  { kind: 'featureFlag', path: /^kind$/, reason: 'only a creation sets it' },
  { kind: 'check', path: /^source$/, reason: 'only a creation sets it' },
  {
    kind: 'projectEnvVar',
    path: /^(target|gitBranch|customEnvironmentIds)$/,
    reason: 'they say which variable it is: with others it is another one',
  },
  {
    kind: 'sharedEnvVar',
    path: /^(target|customEnvironmentIds)$/,
    reason: 'they say which variable it is: with others it is another one',
  },
  ...['projectEnvVar', 'sharedEnvVar'].map((kind) => ({
    kind,
    path: /^type$/,
    where: ({ type, target }: Body) =>
      type === 'sensitive' || (kind === 'sharedEnvVar' && [target].flat().includes('development')),
    reason: 'there is no way back from `sensitive`, and no way to it for what is available in development',
  })),
];

/** What a change takes with it: another field of the same object, `by`. */
export interface Follower {
  kind: string;
  path: RegExp;
  by: RegExp;
  reason: string;
}

export const follows: Follower[] = [
  {
    kind: 'project',
    path: /^resourceConfig\.functionDefaultRegions$/,
    by: /^serverlessFunctionRegion$/,
    reason: 'the platform shows the first one as the other one too',
  },
  {
    kind: 'projectDomain',
    path: /^redirect$/,
    by: /^redirectStatusCode$/,
    reason: 'a redirect without a status gets one',
  },
];
