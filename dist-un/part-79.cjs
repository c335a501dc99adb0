"use strict";const part_ZG3VEZSV=(()=>{const {
  dayTwoOf,
  defineAction,
  defineLookup
}=require("./part-13.cjs").part_AQ5AAHW5;require("./part-90.cjs").part_TFHCOW53;const {
  described,
  openEnum
}=require("./part-90.cjs").part_A3A3FICV;const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  _enum,
  any,
  array,
  boolean,
  int,
  literal,
  number,
  record,
  strictObject,
  string,
  union
}=require("./part-90.cjs").part_ZJ7BVZLR;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;const {
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;const {
  __export
}=require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;

// providers/hosting/actions/connect.ts
var connect_exports = {};
__export(connect_exports, {
  activateSigningKey: () => activateSigningKey,
  authorizeConnector: () => authorizeConnector,
  ejectConnector: () => ejectConnector,
  installConnector: () => installConnector,
  mintConnectorToken: () => mintConnectorToken,
  revokeSigningKey: () => revokeSigningKey,
  signMessage: () => signMessage,
  signToken: () => signToken
});
var { text, texts, number: number2, flag, json, time } = described;
var asked = () => ({
  installationId: text("The installation.").optional(),
  audience: texts("The user or app it is for.").optional(),
  scopes: texts("What it may do.").optional(),
  resources: texts("What it may be used on.").optional(),
  authorizationDetails: array(any()).optional().describe("Further permissions, each as JSON."),
  validityBufferMs: number2("The minimum remaining validity, in milliseconds.").optional()
});
var subject = () => json('The subject: `{"type":"app"}`, `{"type":"user","id":"..."}`.').optional();
var flow = () => ({
  returnUrl: text("Where the browser is redirected afterwards.").optional(),
  webhook: text("A URL that is called when it is done.").optional(),
  deviceCode: flag("Use a code, for devices without a browser.").optional(),
  expiresInMs: number2("How long the page is valid, in milliseconds.").optional()
});
var page = () => ({ url: text("The page to open in a browser."), expiresAt: time("When it expires.") });
var mintConnectorToken = defineAction({
  name: "mintConnectorToken",
  doc: "Mints a token for the service behind a connector.",
  endpoint: "POST /v1/connect/token/{connector}",
  on: "connector",
  input: () => ({ subject: subject(), ...asked() }),
  grade: "safe",
  shows: "token",
  output: () => ({ expiresAt: time("When it expires.") })
});
var authorizeConnector = defineAction({
  name: "authorizeConnector",
  doc: "Starts authorizing a connector: returns a page to open in a browser.",
  endpoint: "POST /v1/connect/authorize/{connector}",
  on: "connector",
  input: () => ({
    subject: subject(),
    ...asked(),
    ...flow(),
    prompt: text("The scopes to request.").optional()
  }),
  grade: "safe",
  shows: "verifier",
  output: page
});
var installConnector = defineAction({
  name: "installConnector",
  doc: "Starts installing a connector for a customer: returns a page to open in a browser.",
  endpoint: "POST /v1/connect/install/{connector}",
  on: "connector",
  input: () => ({ ...asked(), ...flow(), tenantId: text("The tenant.").optional() }),
  grade: "safe",
  shows: "verifier",
  output: page
});
var ejectConnector = defineAction({
  name: "ejectConnector",
  doc: "Turns a connector managed by the platform into one of your own.",
  endpoint: "POST /v1/connect/connectors/{connector}/managed/eject",
  on: "connector",
  grade: "irreversible",
  why: "the platform no longer manages it"
});
var activateSigningKey = defineAction({
  name: "activateSigningKey",
  doc: "Activates a pending key of an issuer for signing.",
  endpoint: "POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/activate",
  on: "kmsIssuer",
  input: () => ({
    key: text("The id of the key."),
    revokePreviousAfterHours: number2("Hours until the previous key is revoked.").optional()
  }),
  grade: "disruptive",
  why: "new signatures use a different key",
  repeatable: true,
  output: () => ({
    keyId: text("The id of the key."),
    status: text("Its status."),
    activatedAt: time("When it was activated.")
  })
});
var revokeSigningKey = defineAction({
  name: "revokeSigningKey",
  doc: "Revokes a key of an issuer: what it signed is no longer valid.",
  endpoint: "POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/revoke",
  on: "kmsIssuer",
  input: () => ({ key: text("The id of the key.") }),
  grade: "irreversible",
  why: "a revoked key cannot be restored, and what it signed is rejected",
  repeatable: true,
  output: () => ({ keyId: text("The id of the key."), status: text("Its status.") })
});
var signMessage = defineAction({
  name: "signMessage",
  doc: "Signs a message with the active key of an issuer.",
  endpoint: "POST /v1/kms/issuers/{kmsIssuer}/sign/message",
  on: "kmsIssuer",
  input: () => ({ message: text("The message, in base64.") }),
  grade: "safe",
  repeatable: true,
  output: () => ({
    signature: text("The signature, in base64."),
    algorithm: text("The algorithm."),
    keyId: text("The id of the key.")
  })
});
var signToken = defineAction({
  name: "signToken",
  doc: "Signs a JSON Web Token with the active key of an issuer.",
  endpoint: "POST /v1/kms/issuers/{kmsIssuer}/sign/token",
  on: "kmsIssuer",
  input: () => ({
    claims: record(string(), any()).optional().describe("The claims: `claims.sub=me`."),
    headers: record(string(), any()).optional().describe("Additional headers."),
    ttl: json("How long it is valid.").optional()
  }),
  grade: "safe",
  shows: "token"
});

// providers/hosting/actions/deployments.ts
var deployments_exports = {};
__export(deployments_exports, {
  cancelDeployment: () => cancelDeployment,
  describeRollback: () => describeRollback,
  promote: () => promote,
  redeploy: () => redeploy,
  retryCi: () => retryCi,
  rollback: () => rollback,
  startCheckRun: () => startCheckRun
});
var { text: text2, whole } = described;
var runMark = "trueupRun";
var differenceOfClocks = 6e4;
var underWay = ["INITIALIZING", "QUEUED", "BUILDING"];
var failed = ["ERROR", "CANCELED", "DELETED"];
function newestOf({ latestDeployments }, target) {
  const all = Array.isArray(latestDeployments) ? latestDeployments : [];
  return all.filter((one) => one.target === target).map(({ createdAt, readyState }) => ({ createdAt: Number(createdAt), state: String(readyState) })).sort((a, b) => b.createdAt - a.createdAt)[0];
}
function busyWith({ name, lastAliasRequest }, newest, { rollingRelease } = {}) {
  if (newest && underWay.includes(newest.state)) return `a build of ${name} is in progress`;
  if ((rollingRelease ?? {}).state === "ACTIVE")
    return `a rolling release of ${name} is in progress`;
  const { type, jobStatus } = lastAliasRequest ?? {};
  if (jobStatus === "pending" || jobStatus === "in-progress")
    return `${name} is being promoted or rolled back`;
  return type === "rollback" ? `${name} was rolled back, so a new build would not reach visitors: promote a deployment first` : void 0;
}
var redeploy = defineAction({
  name: "redeploy",
  doc: "Rebuilds the deployment that currently serves a target, so that changed variables and settings take effect.",
  endpoint: "POST /v13/deployments?forceNew=1",
  on: "project",
  input: () => ({
    target: openEnum(["production", "staging"]).default("production").describe("The target, whose current deployment is rebuilt."),
    deployment: string().min(1).optional().describe("The id of another deployment to rebuild instead: `dpl_...`.")
  }),
  finds: {
    endpoint: "GET /v9/projects/{project}",
    // Whether a rolling release is under way the project does not tell.
    beside: "GET /v1/projects/{project}/rolling-release",
    take: (project, { target, deployment: deployment2 }, after) => {
      const { name, targets } = project;
      const { id } = (targets ?? {})[String(target)] ?? {};
      if (deployment2 === void 0 && id === void 0)
        return { nothing: `no deployment of ${name} serves ${target}` };
      if (!after) return { values: { name, id: deployment2 ?? id } };
      const { since, beside } = after;
      const newest = newestOf(project, String(target));
      if (newest && newest.createdAt > since + differenceOfClocks && !failed.includes(newest.state))
        return {
          nothing: `a deployment of ${name} for ${target} was created since and already has the changes`
        };
      const busy = busyWith(project, newest, beside);
      return busy === void 0 ? { values: { name, id: deployment2 ?? id } } : { busy };
    }
  },
  // Never the newest: that may be one that failed, or that somebody rolled back from.
  body: ({ input: { target }, found: { name, id }, mark }) => ({
    ...{ deploymentId: id, name, target, meta: { [runMark]: mark } }
  }),
  grade: "disruptive",
  why: "visitors see it as soon as it is built",
  starts: "build",
  until: { lookup: "deployment", input: ({ answer: { id } }) => ({ id }) },
  lost: {
    lookup: "deployment",
    // A project may have thousands of older ones.
    input: ({ since }) => ({ since: since - 10 * differenceOfClocks }),
    is: ({ meta }, mark) => (meta ?? {})[runMark] === mark
  },
  output: () => ({
    id: string().describe("The id of the new deployment."),
    url: string().describe("Its URL, without `https://`."),
    readyState: string().describe("Its status.")
  }),
  declarable: true
});
var promote = defineAction({
  name: "promote",
  doc: "Promotes an existing deployment to production.",
  endpoint: "POST /v10/projects/{project}/promote/{deployment}",
  on: "project",
  input: () => ({ deployment: text2("The id of the deployment: `dpl_...`.") }),
  grade: "disruptive",
  why: "visitors immediately see another deployment",
  repeatable: true,
  until: { lookup: "deployment", input: ({ input: { deployment: deployment2 } }) => ({ id: deployment2 }) },
  declarable: true
});
var rollback = defineAction({
  name: "rollback",
  doc: "Rolls production back to an earlier deployment; later pushes do not replace it until one is promoted.",
  endpoint: "POST /v1/projects/{project}/rollback/{deployment}",
  on: "project",
  input: () => ({
    deployment: text2("The id of the deployment: `dpl_...`."),
    description: text2("The reason, shown in the dashboard.").optional()
  }),
  grade: "disruptive",
  why: "visitors immediately see another deployment, and later pushes do not go live automatically",
  repeatable: true
});
var describeRollback = defineAction({
  name: "describeRollback",
  doc: "Sets the reason for a rollback.",
  endpoint: "PATCH /v1/projects/{project}/rollback/{deployment}/update-description",
  on: "project",
  input: () => ({
    deployment: text2("The id of the deployment that it was rolled back to."),
    description: text2("Why.")
  }),
  grade: "safe",
  repeatable: true
});
var cancelDeployment = defineAction({
  name: "cancelDeployment",
  doc: "Cancels the build of a deployment.",
  endpoint: "PATCH /v12/deployments/{deployment}/cancel",
  input: () => ({ deployment: text2("The id of the deployment: `dpl_...`.") }),
  grade: "disruptive",
  why: "the build does not go live",
  repeatable: true,
  output: () => ({ id: text2("The id of the deployment."), readyState: text2("Its status.") })
});
var startCheckRun = defineAction({
  name: "startCheckRun",
  doc: "Runs a check of the project on a deployment again.",
  endpoint: "POST /v2/deployments/{deployment}/check-runs",
  input: () => ({
    deployment: text2("The id of the deployment: `dpl_...`."),
    checkId: text2("The id of the check.")
  }),
  grade: "safe",
  until: {
    lookup: "checkRun",
    input: ({ input: { deployment: deployment2 }, answer: { id } }) => ({ deployment: deployment2, id })
  },
  output: () => ({ id: text2("The id of the run."), status: text2("Its status.") })
});
var retryCi = defineAction({
  name: "retryCi",
  doc: "Retries an attempt of the platform's CI.",
  endpoint: "POST /v1/platform-ci/invocations/{invocation}/attempts/{attempt}/retry",
  input: () => ({
    invocation: text2("The id of the invocation."),
    attempt: text2("The number of the attempt.")
  }),
  grade: "safe",
  output: () => ({ attempt: whole("The number of the new attempt.") }),
  until: {
    lookup: "ciAttempt",
    input: ({ input: { invocation }, answer: { attempt: attempt2 } }) => ({ invocation, attempt: String(attempt2) })
  }
});

// providers/hosting/actions/domains.ts
var domains_exports = {};
__export(domains_exports, {
  buyDomain: () => buyDomain,
  buyDomains: () => buyDomains,
  claimDomain: () => claimDomain,
  moveDomain: () => moveDomain,
  renewDomain: () => renewDomain,
  transferDomainIn: () => transferDomainIn,
  verify: () => verify
});
var { text: text3, flag: flag2, number: number3, whole: whole2 } = described;
var verify = defineAction({
  name: "verify",
  doc: "Asks the platform to verify a project's domain by its DNS record.",
  endpoint: "POST /v9/projects/{project}/domains/{projectDomain}/verify",
  on: "projectDomain",
  grade: "safe",
  repeatable: true,
  output: () => ({ name: text3("The domain."), verified: flag2("Whether it is verified now.") }),
  until: { lookup: "verification", input: () => ({}), isState: true },
  declarable: true
});
var moveDomain = defineAction({
  name: "moveDomain",
  doc: "Moves a domain from one project to another in the account, without a gap.",
  endpoint: "POST /v1/projects/{project}/domains/{projectDomain}/move",
  on: "projectDomain",
  input: () => ({
    projectId: text3("The id of the other project: `prj_...`."),
    gitBranch: text3("The branch to serve there.").optional(),
    redirect: text3("The domain to redirect to there.").optional(),
    redirectStatusCode: whole2("The redirect status: 301, 302, 307 or 308.").optional()
  }),
  grade: "disruptive",
  why: "visitors of the domain see another project",
  output: () => ({
    name: text3("The domain."),
    projectId: text3("The project that has it now."),
    verified: flag2("Whether it is verified there.")
  })
});
var claimDomain = defineAction({
  name: "claimDomain",
  doc: "Claims a domain from another account, once its verification record is in DNS.",
  endpoint: "POST /v9/domains/{domain}/claim",
  input: () => ({ domain: text3("The domain: `example.com`.") }),
  grade: "disruptive",
  why: "the other account loses the domain",
  repeatable: true,
  output: () => ({ domain: described.json("The domain as it is now.") })
});
var person = () => ({
  firstName: string(),
  lastName: string(),
  email: string(),
  phone: string(),
  address1: string(),
  address2: string().optional(),
  city: string(),
  state: string(),
  zip: string(),
  country: string(),
  companyName: string().optional(),
  fax: string().optional()
});
var owner = "The owner: `contactInformation.firstName=Ada` and so on.";
var contact = () => strictObject(person()).describe(owner);
var buyer = () => strictObject({ ...person(), additional: record(string(), any()).optional() }).describe(owner);
var terms = () => ({
  years: whole2("The number of years."),
  expectedPrice: number3("The price you accept, in US dollars; any other price is rejected.")
});
var domain = () => ({ domain: text3("The domain: `example.com`.") });
var autoRenew = () => flag2("Whether it renews automatically.");
var ordered = () => ({ orderId: text3("The id of the order.") });
var until = {
  lookup: "order",
  input: ({ answer: { orderId } }) => ({ orderId })
};
var buyDomain = defineAction({
  name: "buyDomain",
  doc: "Buys a domain.",
  endpoint: "POST /v1/registrar/domains/{domain}/buy",
  input: () => ({
    ...domain(),
    ...terms(),
    autoRenew: autoRenew(),
    contactInformation: buyer(),
    languageCode: text3("The language of an internationalized domain.").optional()
  }),
  grade: "irreversible",
  why: "a purchased domain is not refundable",
  cost: "the price of the domain",
  output: ordered,
  until
});
var buyDomains = defineAction({
  name: "buyDomains",
  doc: "Buys several domains at once.",
  endpoint: "POST /v1/registrar/domains/buy",
  input: () => ({
    domains: array(
      strictObject({
        domainName: string(),
        autoRenew: boolean(),
        years: number(),
        expectedPrice: number(),
        languageCode: string().optional()
      })
    ).min(1).describe("The domains, each as JSON."),
    contactInformation: buyer()
  }),
  grade: "irreversible",
  why: "a purchased domain is not refundable",
  cost: "the prices of the domains",
  output: ordered,
  until
});
var renewDomain = defineAction({
  name: "renewDomain",
  doc: "Renews a domain registered with the platform.",
  endpoint: "POST /v1/registrar/domains/{domain}/renew",
  input: () => ({ ...domain(), ...terms(), contactInformation: contact().optional() }),
  grade: "irreversible",
  why: "the payment is not refundable",
  cost: "the price of the renewal",
  output: ordered,
  until
});
var transferDomainIn = defineAction({
  name: "transferDomainIn",
  doc: "Transfers a domain from another registrar.",
  endpoint: "POST /v1/registrar/domains/{domain}/transfer",
  input: () => ({
    ...domain(),
    authCode: described.secret("The authorization code from the other registrar."),
    ...terms(),
    autoRenew: autoRenew(),
    contactInformation: contact()
  }),
  grade: "irreversible",
  why: "the domain changes its registrar",
  cost: "the price of the transfer",
  output: ordered,
  until
});

// providers/hosting/actions/projects.ts
var projects_exports = {};
__export(projects_exports, {
  acceptProject: () => acceptProject,
  approveStage: () => approveStage,
  completeRollout: () => completeRollout,
  dangerouslyDeleteBySrcImages: () => dangerouslyDeleteBySrcImages,
  dangerouslyDeleteByTags: () => dangerouslyDeleteByTags,
  deleteImage: () => deleteImage,
  generateRoute: () => generateRoute,
  invalidateBySrcImages: () => invalidateBySrcImages,
  invalidateByTags: () => invalidateByTags,
  oidcToken: () => oidcToken,
  pause: () => pause,
  purgeArtifacts: () => purgeArtifacts,
  restoreGlobalConfig: () => restoreGlobalConfig,
  restoreRedirects: () => restoreRedirects,
  startRollout: () => startRollout,
  testDrain: () => testDrain,
  traceSession: () => traceSession,
  transferProject: () => transferProject,
  uninstallIntegration: () => uninstallIntegration,
  unpause: () => unpause
});
var { text: text4, texts: texts2, whole: whole3, json: json2 } = described;
var pause = defineAction({
  name: "pause",
  doc: "Pauses a project: visitors get an error page until it is resumed.",
  endpoint: "POST /v1/projects/{project}/pause",
  on: "project",
  grade: "disruptive",
  why: "visitors can no longer reach the project",
  repeatable: true
});
var unpause = defineAction({
  name: "unpause",
  doc: "Resumes a project that was paused.",
  endpoint: "POST /v1/projects/{project}/unpause",
  on: "project",
  grade: "disruptive",
  why: "visitors can reach the project again",
  repeatable: true
});
var transferProject = defineAction({
  name: "transferProject",
  doc: "Offers a project to another team: anyone with the code, which is valid for a day, can accept the transfer.",
  endpoint: "POST /projects/{project}/transfer-request",
  on: "project",
  input: () => ({
    callbackUrl: text4("A URL that is called when the transfer is accepted.").optional(),
    callbackSecret: described.secret("The secret that signs that call.").optional()
  }),
  grade: "irreversible",
  why: "anyone with the code can take the project for good",
  shows: "code"
});
var acceptProject = defineAction({
  name: "acceptProject",
  doc: "Accepts a project that another team offers.",
  endpoint: "PUT /projects/transfer-request/{code}",
  input: () => ({
    code: described.secret("The code from the other team."),
    newProjectName: text4("Its new name.").optional(),
    paidFeatures: json2("The paid features to keep, as named by the platform.").optional(),
    acceptedPolicies: json2(
      'The accepted policies, by integration: `{"neon":{"eula":"...","privacy":"..."}}`.'
    ).optional()
  }),
  grade: "disruptive",
  why: "the project changes owner",
  cost: "its paid features are charged to this account",
  output: () => ({ transferredStoreIds: texts2("The stores transferred with it.") })
});
var oidcToken = defineAction({
  name: "oidcToken",
  doc: "Issues an OIDC token of a project, as for its development environment.",
  endpoint: "POST /v1/projects/{project}/token",
  on: "project",
  input: () => ({ source: text4("The caller, for the platform's records.").optional() }),
  grade: "safe",
  shows: "token"
});
var traceSession = defineAction({
  name: "traceSession",
  doc: "Starts a session that traces requests to a host of the project.",
  endpoint: "POST /v1/projects/traces/session",
  on: "project",
  input: () => ({ hostname: text4("The host: `www.example.com`.") }),
  body: ({ input: { hostname }, ids: { project } }) => ({ projectId: project, hostname }),
  grade: "safe",
  shows: "token"
});
var restoreRedirects = defineAction({
  name: "restoreRedirects",
  doc: "Restores redirects of an earlier version into a new staged version.",
  endpoint: "POST /v1/bulk-redirects/restore?projectId={project}",
  on: "project",
  input: () => ({
    redirects: texts2("The ids of the redirects."),
    name: text4("The name of the new version.").optional()
  }),
  grade: "safe",
  output: () => ({
    restored: texts2("The restored redirects."),
    failedToRestore: texts2("The redirects that could not be restored."),
    version: json2("The new version.")
  })
});
var generateRoute = defineAction({
  name: "generateRoute",
  doc: "Generates a route from a description. Nothing is changed.",
  endpoint: "POST /v1/projects/{project}/routes/generate",
  on: "project",
  input: () => ({
    prompt: text4("What it should do."),
    currentRoute: json2("The route to change; omit for a new one.").optional()
  }),
  grade: "safe",
  repeatable: true,
  output: () => ({
    route: json2("The route, in the form of a configuration."),
    error: text4("Why there is none.")
  })
});
var tagged = () => ({
  tags: texts2("The tags."),
  target: _enum(["production", "preview"]).optional().describe("Only this target; both if omitted.")
});
var pictured = () => ({ srcImages: texts2("The image sources, as in `src`.") });
var deadline = () => ({
  revalidationDeadlineSeconds: whole3(
    "The deadline for revalidation, in seconds; immediate if omitted."
  ).optional()
});
var invalidateByTags = defineAction({
  name: "invalidateByTags",
  doc: "Marks cache entries with these tags as stale: visitors still get them while they are revalidated.",
  endpoint: "POST /v1/edge-cache/invalidate-by-tags?projectIdOrName={project}",
  on: "project",
  input: tagged,
  grade: "safe",
  repeatable: true,
  declarable: true
});
var invalidateBySrcImages = defineAction({
  name: "invalidateBySrcImages",
  doc: "Marks cached images as stale: visitors still get them while they are revalidated.",
  endpoint: "POST /v1/edge-cache/invalidate-by-src-images?projectIdOrName={project}",
  on: "project",
  input: pictured,
  grade: "safe",
  repeatable: true,
  declarable: true
});
var dangerouslyDeleteByTags = defineAction({
  name: "dangerouslyDeleteByTags",
  doc: "Deletes cache entries with these tags: the next visitors wait until they are regenerated.",
  endpoint: "POST /v1/edge-cache/dangerously-delete-by-tags?projectIdOrName={project}",
  on: "project",
  input: () => ({ ...tagged(), ...deadline() }),
  grade: "disruptive",
  why: "all visitors hit the origin at once, which may overload it",
  repeatable: true
});
var dangerouslyDeleteBySrcImages = defineAction({
  name: "dangerouslyDeleteBySrcImages",
  doc: "Deletes cached images: the next visitors wait until they are regenerated.",
  endpoint: "POST /v1/edge-cache/dangerously-delete-by-src-images?projectIdOrName={project}",
  on: "project",
  input: () => ({ ...pictured(), ...deadline() }),
  grade: "disruptive",
  why: "all visitors hit the origin at once, which may overload it",
  repeatable: true
});
var purgeArtifacts = defineAction({
  name: "purgeArtifacts",
  doc: "Deletes everything in the remote build cache.",
  endpoint: "DELETE /v8/artifacts",
  grade: "destructive",
  why: "all builds start without a cache",
  repeatable: true,
  output: () => ({ deletedCount: whole3("How many were deleted.") })
});
var testDrain = defineAction({
  name: "testDrain",
  doc: "Sends a sample to a drain's destination to test delivery.",
  endpoint: "POST /v1/drains/test",
  input: () => ({
    schemas: json2('The schemas to deliver, by name: `{"log":{"version":"v1"}}`.'),
    delivery: json2("The destination, as in the drain.")
  }),
  grade: "safe",
  repeatable: true,
  output: () => ({
    status: text4("The result."),
    endpoint: text4("Where it was sent."),
    error: text4("Why it failed.")
  })
});
var restoreGlobalConfig = defineAction({
  name: "restoreGlobalConfig",
  doc: "Restores the items of a global config from a backup.",
  endpoint: "POST /v1/global-config/{globalConfig}/backups/{backup}/restore",
  on: "globalConfig",
  input: () => ({ backup: text4("The version of the backup, as `trueup get globalConfigBackup` shows it.") }),
  grade: "destructive",
  why: "its current items are replaced",
  repeatable: true,
  output: () => ({
    status: text4("The result."),
    digest: text4("The digest of the new items."),
    previousDigest: text4("The digest of the old items.")
  })
});
var canary = () => ({ canaryDeploymentId: text4("The id of the deployment to roll out.") });
var untilRollout = { lookup: "rollout", input: () => ({}) };
var rollout = () => ({ rollingRelease: json2("The new state of the rolling release.") });
var approveStage = defineAction({
  name: "approveStage",
  doc: "Approves the next stage of a rolling release: more visitors get the new deployment.",
  endpoint: "POST /v1/projects/{project}/rolling-release/approve-stage",
  on: "project",
  input: () => ({ ...canary(), nextStageIndex: whole3("The stage, counted from 0.") }),
  grade: "disruptive",
  why: "more visitors see the new deployment",
  repeatable: true,
  output: rollout,
  until: untilRollout
});
var startRollout = defineAction({
  name: "startRollout",
  doc: "Starts a rolling release of a deployment.",
  endpoint: "POST /v1/projects/{project}/rolling-release/start",
  on: "project",
  input: canary,
  grade: "disruptive",
  why: "some visitors see the new deployment",
  output: rollout,
  until: untilRollout
});
var completeRollout = defineAction({
  name: "completeRollout",
  doc: "Completes a rolling release immediately: all visitors get the new deployment.",
  endpoint: "POST /v1/projects/{project}/rolling-release/complete",
  on: "project",
  input: canary,
  grade: "disruptive",
  why: "all visitors immediately see the new deployment",
  repeatable: true,
  output: rollout,
  until: untilRollout
});
var uninstallIntegration = defineAction({
  name: "uninstallIntegration",
  doc: "Uninstalls an integration and everything it created.",
  endpoint: "DELETE /v1/integrations/configuration/{id}",
  input: () => ({ id: text4("The id of the installation: `icfg_...`.") }),
  grade: "irreversible",
  why: "everything the integration created is deleted, and its secrets cannot be restored"
});
var deleteImage = defineAction({
  name: "deleteImage",
  doc: "Deletes an image from a repository of the registry.",
  endpoint: "DELETE /v1/vcr/repository/{registryRepository}/images/{image}?projectId={project}",
  on: "registryRepository",
  input: () => ({ image: text4("The id of the image.") }),
  grade: "irreversible",
  why: "a deleted image cannot be restored"
});

// providers/hosting/actions/sandboxes.ts
var sandboxes_exports = {};
__export(sandboxes_exports, {
  deleteSnapshot: () => deleteSnapshot,
  extendSession: () => extendSession,
  forkSandbox: () => forkSandbox,
  killCommand: () => killCommand,
  runCommand: () => runCommand,
  setSessionNetwork: () => setSessionNetwork,
  snapshotSession: () => snapshotSession,
  stopSession: () => stopSession
});
var { text: text5, texts: texts3, number: number4, whole: whole4, flag: flag3, json: json3, time: time2 } = described;
var session = () => ({ session: text5("The id of the session: `sbx_...`.") });
var sessionFields = () => ({ id: text5("The id of the session."), status: text5("Its status.") });
var commandFields = () => ({
  id: text5("The id of the command."),
  name: text5("The program."),
  args: json3("Its arguments."),
  exitCode: whole4("Its exit code, once it has finished.")
});
var snapshotFields = () => ({
  id: text5("The id of the snapshot."),
  status: text5("Its status."),
  sizeBytes: whole4("Its size."),
  createdAt: time2("When it was created.")
});
var runCommand = defineAction({
  name: "runCommand",
  doc: "Runs a command in a sandbox session.",
  endpoint: "POST /v2/sandboxes/sessions/{session}/cmd",
  input: () => ({
    ...session(),
    command: text5("The program."),
    args: texts3("Its arguments, one per item.").optional(),
    cwd: text5("The working directory.").optional(),
    env: record(string(), string()).optional().describe("Environment variables: `env.CI=1`."),
    sudo: flag3("Run as root.").optional()
  }),
  grade: "disruptive",
  why: "the command may change anything in the sandbox",
  item: "command",
  output: commandFields
});
var killCommand = defineAction({
  name: "killCommand",
  doc: "Sends a signal to a running command in a sandbox session.",
  endpoint: "POST /v2/sandboxes/sessions/{session}/cmd/{command}/kill",
  input: () => ({
    ...session(),
    command: text5("The id of the command."),
    signal: whole4("The signal number: 15 (SIGTERM) or 9 (SIGKILL).").default(15)
  }),
  grade: "disruptive",
  why: "the command ends",
  repeatable: true,
  item: "command",
  output: commandFields
});
var stopSession = defineAction({
  name: "stopSession",
  doc: "Stops a sandbox session.",
  endpoint: "POST /v2/sandboxes/sessions/{session}/stop",
  input: session,
  grade: "disruptive",
  why: "what runs in it ends",
  repeatable: true,
  item: "session",
  output: sessionFields,
  until: { lookup: "sandboxSession", input: ({ input }) => ({ id: input.session }) }
});
var extendSession = defineAction({
  name: "extendSession",
  doc: "Extends a sandbox session.",
  endpoint: "POST /v2/sandboxes/sessions/{session}/extend-timeout",
  input: () => ({ ...session(), duration: number4("The extension, in milliseconds.") }),
  grade: "safe",
  cost: "the additional run time",
  item: "session",
  output: sessionFields
});
var setSessionNetwork = defineAction({
  name: "setSessionNetwork",
  doc: "Sets the network policy of a running sandbox session.",
  endpoint: "POST /v2/sandboxes/sessions/{session}/network-policy",
  input: () => ({
    ...session(),
    mode: _enum(["allow-all", "deny-all", "custom", "default-allow", "default-deny"]).describe("The default policy."),
    allowedDomains: texts3("Allowed hosts.").optional(),
    allowedCIDRs: texts3("Allowed networks.").optional(),
    deniedCIDRs: texts3("Denied networks.").optional(),
    injectionRules: array(any()).optional().describe("Headers to inject into requests, each as JSON.")
  }),
  grade: "disruptive",
  why: "running code may lose connections or gain access",
  repeatable: true,
  item: "session",
  output: sessionFields
});
var snapshotSession = defineAction({
  name: "snapshotSession",
  doc: "Takes a snapshot of a sandbox session's file system and stops the session.",
  endpoint: "POST /v3/sandboxes/sessions/{session}/snapshot",
  input: () => ({
    ...session(),
    expiration: number4("Milliseconds until it is deleted; 0 for never.").optional()
  }),
  grade: "disruptive",
  why: "the session stops",
  cost: "the stored snapshot",
  item: "snapshot",
  output: snapshotFields
});
var deleteSnapshot = defineAction({
  name: "deleteSnapshot",
  doc: "Deletes a snapshot of a sandbox.",
  endpoint: "DELETE /v2/sandboxes/snapshots/{snapshot}",
  input: () => ({ snapshot: text5("The id of the snapshot: `snap_...`.") }),
  grade: "irreversible",
  why: "a deleted snapshot cannot be restored",
  item: "snapshot",
  output: snapshotFields
});
var forkSandbox = defineAction({
  name: "forkSandbox",
  doc: "Forks a sandbox: creates another one from its current state.",
  endpoint: "POST /v3/sandboxes/{sandbox}/fork",
  on: "sandbox",
  input: () => ({
    name: text5("The name of the new sandbox.").optional(),
    timeout: number4("Milliseconds until it stops.").optional(),
    persistent: flag3("Keep it after it stops.").optional()
  }),
  grade: "safe",
  cost: "the run time"
});

// providers/hosting/actions/security.ts
var security_exports = {};
__export(security_exports, {
  activateFirewallVersion: () => activateFirewallVersion,
  discardFirewallVersion: () => discardFirewallVersion,
  generateFirewallRule: () => generateFirewallRule
});
var { text: text6, json: json4 } = described;
var version = () => ({
  version: text6("The version, as the platform numbers it, or `draft`.")
});
var activateFirewallVersion = defineAction({
  name: "activateFirewallVersion",
  doc: "Activates a version of a project's firewall: an earlier one, or the draft.",
  endpoint: "POST /v1/security/firewall/config/{version}/activate?projectId={project}",
  on: "project",
  input: version,
  grade: "disruptive",
  why: "different requests are allowed or denied immediately",
  repeatable: true,
  output: () => ({
    id: text6("The id of the version."),
    version: json4("Its number."),
    firewallEnabled: described.flag("Whether it is on.")
  })
});
var discardFirewallVersion = defineAction({
  name: "discardFirewallVersion",
  doc: "Discards the draft of the firewall of a project, or another version that is not active.",
  endpoint: "DELETE /v1/security/firewall/config/{version}?projectId={project}",
  on: "project",
  input: version,
  grade: "destructive",
  why: "the draft is lost",
  repeatable: true
});
var generateFirewallRule = defineAction({
  name: "generateFirewallRule",
  doc: "Generates a firewall rule from a description. Nothing is changed.",
  endpoint: "POST /v1/security/firewall/config/generate-rule?projectId={project}",
  on: "project",
  input: () => ({
    prompt: text6("What it should do."),
    currentRule: json4("The rule to change; omit for a new one.").optional()
  }),
  grade: "safe",
  repeatable: true,
  output: () => ({
    rule: json4("The rule, in the form of a configuration."),
    error: text6("Why there is none.")
  })
});

// providers/hosting/actions/team.ts
var team_exports = {};
__export(team_exports, {
  buyCredits: () => buyCredits,
  createApiKey: () => createApiKey,
  deleteUser: () => deleteUser,
  joinTeam: () => joinTeam,
  requestTeamAccess: () => requestTeamAccess,
  revokeInstallationCredentials: () => revokeInstallationCredentials,
  rotateInstallationCredentials: () => rotateInstallationCredentials
});
var { text: text7, number: number5, json: json5, time: time3 } = described;
var createApiKey = defineAction({
  name: "createApiKey",
  doc: "Creates an API key. The published API does not list API keys: note its id.",
  endpoint: "POST /api-keys",
  input: () => ({
    purpose: text7("Its purpose: `ai-gateway`."),
    name: text7("Its name.").optional(),
    projectId: text7("The id of the project it is limited to.").optional(),
    expiresAt: number5("When it expires, in milliseconds since 1970.").optional(),
    aiGatewayQuota: json5('Its spending limit: `{"limitAmount":10,"refreshPeriod":"monthly"}`.').optional(),
    metadata: record(string(), any()).optional().describe("Arbitrary metadata.")
  }),
  grade: "safe",
  shows: "apiKeyString",
  item: "apiKey",
  output: () => ({
    id: text7("Its id."),
    name: text7("Its name."),
    partialKey: text7("Its first and last characters."),
    expiresAt: time3("When it expires.")
  })
});
var buyCredits = defineAction({
  name: "buyCredits",
  doc: "Starts a purchase of credits: returns the payment page.",
  endpoint: "POST /v1/billing/buy",
  input: () => ({
    source: text7("The caller, for the platform's records.").optional(),
    item: strictObject({
      type: literal("credits"),
      creditType: _enum(["v0", "gateway", "agent"]),
      amount: int().min(1)
    }).describe("The item: `item.creditType=gateway`, `item.amount=100`, `item.type=credits`.")
  }),
  grade: "safe",
  cost: "the credits, in US dollars",
  output: () => ({
    checkoutSessionUrl: text7("The payment page."),
    checkoutSessionId: text7("The id of the purchase.")
  })
});
var requestTeamAccess = defineAction({
  name: "requestTeamAccess",
  doc: "Asks a team to let the owner of the token join it.",
  endpoint: "POST /v1/teams/{teamId}/request",
  input: () => ({
    joinedFrom: strictObject({
      origin: openEnum([
        "import",
        "teams",
        "github",
        "gitlab",
        "bitbucket",
        "feedback",
        "organization-teams"
      ]),
      commitId: string().optional(),
      repoId: string().optional(),
      repoPath: string().optional(),
      gitUserId: union([string(), number()]).optional(),
      gitUserLogin: string().optional()
    }).describe("The origin: `joinedFrom.origin=teams`.")
  }),
  grade: "safe",
  repeatable: true,
  output: () => ({ teamName: text7("The name of the team."), teamSlug: text7("Its slug.") })
});
var joinTeam = defineAction({
  name: "joinTeam",
  doc: "Joins the team with the code of an invitation.",
  endpoint: "POST /v1/teams/{teamId}/members/teams/join",
  input: () => ({ inviteCode: described.secret("The code of the invitation.").optional() }),
  grade: "disruptive",
  why: "the owner of the token becomes a member",
  cost: "a member may cost a seat",
  output: () => ({
    teamId: text7("The id of the team."),
    name: text7("Its name."),
    slug: text7("Its slug."),
    from: text7("How the member joined.")
  })
});
var deleteUser = defineAction({
  name: "deleteUser",
  doc: "Requests deletion of the token owner's account: the platform sends a confirmation e-mail.",
  endpoint: "DELETE /v1/user",
  input: () => ({
    reasons: array(strictObject({ slug: string(), description: string() })).optional().describe("Why, each as JSON.")
  }),
  grade: "irreversible",
  why: "a deleted account cannot be restored",
  output: () => ({
    id: text7("The id of the account."),
    email: text7("Where the e-mail is sent."),
    message: text7("The next step.")
  })
});
var rotateInstallationCredentials = defineAction({
  name: "rotateInstallationCredentials",
  doc: "Rotates the token of a marketplace installation; the old one keeps working for a while.",
  endpoint: "POST /v1/installations/{installation}/credentials/rotate",
  input: () => ({
    installation: text7("The id of the installation: `icfg_...`."),
    client_secret: described.secret("The secret of the integration."),
    client_id: text7("The id of the integration.").optional()
  }),
  grade: "disruptive",
  why: "users of the old token need the new one",
  shows: "access_token",
  output: () => ({
    token_type: text7("Its type."),
    expires_in: number5("Its validity, in seconds."),
    scope: text7("Its scope.")
  })
});
var revokeInstallationCredentials = defineAction({
  name: "revokeInstallationCredentials",
  doc: "Revokes a token of a marketplace installation.",
  endpoint: "POST /v1/installations/{installation}/credentials/revoke",
  input: () => ({
    installation: text7("The id of the installation: `icfg_...`."),
    token: described.secret("The token."),
    client_secret: described.secret("The secret of the integration."),
    client_id: text7("The id of the integration.").optional()
  }),
  grade: "irreversible",
  why: "the token stops working",
  repeatable: true,
  output: () => ({
    revoked: described.flag("Whether it is revoked."),
    already_revoked: described.flag("Whether it was revoked before.")
  })
});

// providers/hosting/by-api.ts
var cacheProtocol = "used by build tools to talk to the remote cache";
var registryProtocol = "used by container tools to talk to the registry";
var integration = "called by integrations with their own token";
var stream = "returns a stream of lines, which `trueup api` prints as they arrive";
var content = "transfers file content, which `trueup api` sends and writes";
var unknownForm = "its response is not documented";
var earlier = "an earlier version of an operation that an action calls";
var earlierRead = "an earlier version of an operation that a lookup reads";
var registry = "/v2/{teamSlug}/{projectSlug}/{repositoryName}";
var installation = "/v1/installations/{integrationConfigurationId}";
var ci = "/v1/platform-ci/invocations/{invocationId}";
var attempt = `${ci}/attempts/{attempt}`;
var job = `${attempt}/job-definitions/{jobDefinitionId}`;
var jobRun = `${job}/runs/{runAttempt}`;
var reasons = {
  [cacheProtocol]: [
    "POST /v8/artifacts/events",
    "POST /v8/artifacts",
    ...["GET", "PUT", "HEAD"].map((method) => `${method} /v8/artifacts/{hash}`)
  ],
  [registryProtocol]: [
    "GET /v2/",
    ...["GET", "DELETE", "HEAD"].map((method) => `${method} ${registry}/blobs/{digest}`),
    ...["GET", "PUT", "PATCH", "DELETE"].map((method) => `${method} ${registry}/blobs/uploads/{uuid}`),
    `POST ${registry}/blobs/uploads/`,
    ...["GET", "PUT", "DELETE", "HEAD"].map((method) => `${method} ${registry}/manifests/{reference}`),
    `GET ${registry}/tags/list`
  ],
  [integration]: [
    "PATCH /v2/deployments/{deploymentId}/check-runs/{checkRunId}",
    "PATCH /v1/deployments/{deploymentId}/integrations/{integrationConfigurationId}/resources/{resourceId}/actions/{action}",
    `GET ${installation}/account`,
    `GET ${installation}/member/{memberId}`,
    `POST ${installation}/events`,
    `POST ${installation}/billing`,
    `POST ${installation}/billing/invoices`,
    `POST ${installation}/billing/finalize`,
    `GET ${installation}/billing/invoices/{invoiceId}`,
    `POST ${installation}/billing/invoices/{invoiceId}/actions`,
    `POST ${installation}/billing/balance`,
    "POST /v1/integrations/sso/token",
    "POST /v1/connect/token/{connector}/import"
  ],
  [stream]: [
    "GET /v1/billing/charges",
    "GET /v1/billing/contract-commitments",
    "GET /v3/deployments/{idOrUrl}/events",
    "GET /v1/projects/{projectId}/deployments/{deploymentId}/runtime-logs",
    "GET /v2/sandboxes/sessions/{sessionId}/cmd/{cmdId}/logs"
  ],
  [content]: [
    "POST /v2/files",
    "GET /v8/deployments/{id}/files/{fileId}",
    "POST /v2/sandboxes/sessions/{sessionId}/fs/read",
    "POST /v2/sandboxes/sessions/{sessionId}/fs/write",
    "POST /v2/sandboxes/sessions/{sessionId}/fs/mkdir"
  ],
  [unknownForm]: [
    "GET /v1/security/firewall/events/summary",
    "GET /v2/platform-ci/invocations",
    "GET /v2/platform-ci/branches",
    "GET /v1/platform-ci/log-search",
    ...[`${ci}/attempts`, `${ci}/tree`, `${attempt}/job-definitions`, job, `${job}/runs`, jobRun].map(
      (path) => `GET ${path}`
    ),
    ...[`${jobRun}/task-definitions`, `${jobRun}/task-runs`, `${attempt}/logs`, `${attempt}/task-logs`].map(
      (path) => `GET ${path}`
    ),
    `GET ${jobRun}/logs`,
    `GET ${jobRun}/task-definitions/{taskDefinitionId}/runs/{taskRunAttempt}/logs`
  ],
  [earlier]: ["POST /v2/sandboxes/{name}/fork", "POST /v2/sandboxes/sessions/{sessionId}/snapshot"],
  [earlierRead]: ["GET /v1/teams/{teamId}/feature-flags/flags"]
};
var byApi = Object.entries(reasons).flatMap(
  ([why, operations]) => operations.map((operation) => ({ operation, why }))
);

// providers/hosting/lookups/deployments.ts
var deployments_exports2 = {};
__export(deployments_exports2, {
  checkRun: () => checkRun,
  ciAttempt: () => ciAttempt,
  deployment: () => deployment,
  deploymentFile: () => deploymentFile,
  deploymentFlag: () => deploymentFlag,
  microfrontendsConfig: () => microfrontendsConfig,
  productionMicrofrontends: () => productionMicrofrontends,
  promoteAlias: () => promoteAlias,
  rollout: () => rollout2,
  rolloutSlots: () => rolloutSlots,
  runOfCheck: () => runOfCheck
});
var { text: text8, time: time4, number: number6, flag: flag4, json: json6 } = described;
var states = ["QUEUED", "INITIALIZING", "BUILDING", "READY", "ERROR", "CANCELED", "BLOCKED"];
var deployment = defineLookup({
  name: "deployment",
  doc: "The deployments of one or all projects, newest first, with status and target.",
  endpoint: "GET /v7/deployments?projectId={project}",
  on: "project",
  items: "deployments",
  one: { endpoint: "GET /v13/deployments/{id}" },
  key: "id",
  input: () => ({
    target: openEnum(["production", "staging"]).optional().describe("Only this target: `production`, `staging`."),
    branch: string().optional().describe("Only this branch."),
    sha: string().optional().describe("Only this commit.")
  }),
  output: () => ({
    id: string().describe("`dpl_...`"),
    project: string().describe("The name of its project."),
    url: string().describe("Its URL, without `https://`."),
    state: openEnum(states).describe("Its status."),
    target: string().describe("`production`, `staging`, or `preview`."),
    branch: string().describe("The branch it was built from."),
    sha: string().describe("The commit it was built from."),
    createdAt: iso_exports.datetime().describe("When it was created."),
    error: string().describe("Why it failed.")
  }),
  columns: ["id", "project", "target", "state", "createdAt", "url"],
  decode: ({ uid, id, name, url, readyState, state, target, meta, gitSource, createdAt, errorMessage }) => {
    const { githubCommitRef, githubCommitSha } = meta ?? {};
    const { ref, sha } = gitSource ?? {};
    return definedOnly({
      ...{ id: uid ?? id, project: name, url, state: readyState ?? state },
      ...{ target: target ?? "preview", branch: ref ?? githubCommitRef, sha: sha ?? githubCommitSha },
      ...{ createdAt, error: errorMessage ?? void 0 }
    });
  },
  moves: ["actions", "pushes"],
  end: { field: "state", reached: ["READY"], ended: ["ERROR", "CANCELED", "BLOCKED", "DELETED"] }
});
var deploymentFile = defineLookup({
  name: "deploymentFile",
  doc: "The files of a deployment, as a tree.",
  endpoint: "GET /v6/deployments/{deployment}/files",
  items: "",
  key: "name",
  input: () => ({ deployment: text8("The id of the deployment: `dpl_...`.") }),
  output: () => ({
    name: text8("Its name."),
    type: text8("`directory`, `file`, `lambda` and so on."),
    uid: text8("The id of its content."),
    contentType: text8("Its content type."),
    children: json6("Its children.")
  }),
  columns: ["name", "type", "uid"],
  moves: ["actions", "pushes"]
});
var checkRunFields = () => ({
  id: text8("The id of the run."),
  name: text8("The check."),
  deploymentId: text8("The deployment it runs on."),
  status: openEnum(["queued", "running", "completed"]).describe("Its status."),
  conclusion: openEnum(["succeeded", "failed", "neutral", "skipped", "canceled", "timeout"]).describe(
    "Its conclusion."
  ),
  conclusionText: text8("The same, for humans."),
  createdAt: time4("When it started.")
});
var runColumns = ["id", "name", "status", "conclusion", "createdAt"];
var checkEnd = {
  field: "conclusion",
  reached: ["succeeded", "neutral", "skipped"],
  ended: ["failed", "canceled", "timeout"]
};
var checkRun = defineLookup({
  name: "checkRun",
  doc: "The runs of checks on a deployment.",
  endpoint: "GET /v2/deployments/{deployment}/check-runs",
  items: "runs",
  one: { endpoint: "GET /v2/deployments/{deployment}/check-runs/{id}" },
  key: "id",
  input: () => ({ deployment: text8("The id of the deployment: `dpl_...`.") }),
  output: checkRunFields,
  columns: runColumns,
  moves: ["actions", "pushes"],
  end: checkEnd
});
var runOfCheck = defineLookup({
  name: "runOfCheck",
  doc: "The runs of one check of a project, on any deployment.",
  endpoint: "GET /v2/projects/{project}/checks/{check}/runs",
  on: "check",
  items: "runs",
  key: "id",
  output: checkRunFields,
  columns: runColumns,
  moves: ["actions", "pushes"],
  end: checkEnd
});
var ciAttempt = defineLookup({
  name: "ciAttempt",
  doc: "An attempt of the platform's CI, with status and result.",
  endpoint: "GET /v1/platform-ci/invocations/{invocation}/attempts/{attempt}",
  item: "invocation",
  input: () => ({
    invocation: text8("The id of the invocation."),
    attempt: text8("The number of the attempt.")
  }),
  output: () => ({
    state: openEnum(["queued", "running", "succeeded", "failed", "skipped"]).describe("Its status."),
    status: text8("The status as named by the platform.")
  }),
  decode: ({ status, runConclusion, completed }) => {
    const { result } = runConclusion ?? {};
    const { conclusion } = completed ?? {};
    const known = {
      new: "queued",
      skipped: "skipped",
      bootstrapping_failed: "failed",
      jobs_on_hive_failed: "failed"
    };
    return definedOnly({ state: result ?? conclusion ?? known[String(status)] ?? "running", status });
  },
  moves: ["actions", "pushes"],
  end: { field: "state", reached: ["succeeded", "skipped"], ended: ["failed", "canceled", "timeout"] }
});
var promoteAlias = defineLookup({
  name: "promoteAlias",
  doc: "The aliases moved by the last promotion or rollback of a project, with the status of each.",
  endpoint: "GET /v1/projects/{project}/promote/aliases",
  on: "project",
  items: "aliases",
  key: "alias",
  input: () => ({ failedOnly: flag4("Only failed ones.").optional() }),
  output: () => ({
    alias: text8("The name."),
    id: text8("Its id."),
    status: openEnum(["pending", "in-progress", "completed", "failed", "skipped"]).describe("Its status.")
  }),
  moves: ["actions"],
  end: { field: "status", reached: ["completed", "skipped"], ended: ["failed"] }
});
var rollout2 = defineLookup({
  name: "rollout",
  doc: "The current or last rolling release of a project, with its stage.",
  endpoint: "GET /v1/projects/{project}/rolling-release",
  on: "project",
  item: "rollingRelease",
  output: () => ({
    state: openEnum(["ACTIVE", "COMPLETE", "ABORTED"]).describe("Its status."),
    substate: text8("What it waits for."),
    currentCanaryPercentage: number6("The share of visitors who get the new deployment."),
    advancementType: text8("`manual-approval` or `automatic`."),
    activeStage: json6("The current stage."),
    nextStage: json6("The next stage."),
    canary: text8("The id of the new deployment."),
    startedAt: time4("When it started."),
    updatedAt: time4("When it last changed.")
  }),
  decode: ({ canaryDeployment, ...rest }) => ({ ...rest, canary: canaryDeployment?.id }),
  columns: ["state", "substate", "currentCanaryPercentage", "canary"],
  moves: ["actions", "pushes", "visitors"],
  end: { field: "state", reached: ["COMPLETE"], ended: ["ABORTED"] }
});
var rolloutSlots = defineLookup({
  name: "rolloutSlots",
  doc: "Whether the account's plan allows a rolling release of a project.",
  endpoint: "GET /v1/projects/{project}/rolling-release/billing",
  on: "project",
  output: () => ({
    availableSlots: number6("How many more projects may have one."),
    reason: text8("Why there is none."),
    message: text8("The same, for humans.")
  })
});
var deploymentFlag = defineLookup({
  name: "deploymentFlag",
  doc: "The feature flags that the code of a deployment declares.",
  endpoint: "GET /v1/deployments/{deployment}/feature-flags",
  items: "flags",
  key: "slug",
  input: () => ({ deployment: text8("The id of the deployment: `dpl_...`.") }),
  output: () => ({ slug: text8("The name of the flag."), id: text8("Its id."), state: text8("Its status.") }),
  moves: ["actions", "pushes"]
});
var microfrontendsConfig = defineLookup({
  name: "microfrontendsConfig",
  doc: "The configuration of microfrontends that a deployment has.",
  endpoint: "GET /v1/microfrontends/{deployment}/config",
  input: () => ({ deployment: text8("The id of the deployment: `dpl_...`.") }),
  output: () => ({ config: json6("The configuration.") }),
  moves: ["actions", "pushes"]
});
var productionMicrofrontends = defineLookup({
  name: "productionMicrofrontends",
  doc: "The configuration of microfrontends that production of a project has.",
  endpoint: "GET /v1/microfrontends/projects/{project}/production-mfe-config",
  on: "project",
  output: () => ({ config: json6("The configuration.") }),
  moves: ["actions", "pushes"]
});

// providers/hosting/lookups/domains.ts
var domains_exports2 = {};
__export(domains_exports2, {
  contactSchema: () => contactSchema,
  contactVerification: () => contactVerification,
  domainAuthCode: () => domainAuthCode,
  domainAvailability: () => domainAvailability,
  domainConfig: () => domainConfig,
  domainPrice: () => domainPrice,
  domainSearch: () => domainSearch,
  domainTransfer: () => domainTransfer,
  domainUse: () => domainUse,
  domainVerification: () => domainVerification,
  domainsAvailability: () => domainsAvailability,
  domainsPrice: () => domainsPrice,
  order: () => order,
  tld: () => tld,
  tldLanguages: () => tldLanguages,
  tldPrice: () => tldPrice,
  verification: () => verification
});
var { text: text9, texts: texts4, time: time5, number: number7, whole: whole5, flag: flag5, json: json7 } = described;
var domain2 = () => ({ domain: text9("The domain: `example.com`.") });
var price = () => ({
  years: whole5("The number of years."),
  purchasePrice: json7("The purchase price in US dollars; absent if it cannot be bought."),
  renewalPrice: json7("The renewal price."),
  transferPrice: json7("The price of a transfer from another registrar.")
});
var domainConfig = defineLookup({
  name: "domainConfig",
  doc: "Whether the DNS of a domain points to the platform, and what it should contain.",
  endpoint: "GET /v6/domains/{domain}/config",
  input: () => ({ ...domain2(), projectIdOrName: text9("The project.").optional() }),
  output: () => ({
    misconfigured: flag5("Whether it does not point to the platform or cannot get a certificate."),
    configuredBy: text9("How it points there: `A`, `CNAME`, `http`."),
    acceptedChallenges: json7("How the platform can validate it for a certificate."),
    recommendedIPv4: json7("The addresses it should have."),
    recommendedCNAME: json7("The name it should point to.")
  }),
  end: { field: "misconfigured", reached: ["false"], ended: [] }
});
var verification = defineLookup({
  name: "verification",
  doc: "Whether a project's domain is verified, and what is missing if not.",
  endpoint: "GET /v9/projects/{project}/domains/{projectDomain}",
  on: "projectDomain",
  output: () => ({
    name: text9("The domain."),
    verified: flag5("Whether it is verified."),
    verification: json7("The DNS records that are still missing.")
  }),
  moves: ["actions", "visitors"],
  end: { field: "verified", reached: ["true"], ended: [] }
});
var domainVerification = defineLookup({
  name: "domainVerification",
  doc: "The TXT record by which a domain of another account can be claimed.",
  endpoint: "GET /v9/domains/{domain}/verification",
  input: domain2,
  output: () => ({
    verificationDomain: text9("The name of the record."),
    txtRecord: text9("Its value, which is public in DNS.")
  })
});
var domainUse = defineLookup({
  name: "domainUse",
  doc: "The projects that use a domain or one of its subdomains.",
  endpoint: "GET /v1/domains/{domain}/project-domains",
  on: "domain",
  items: "projectDomains",
  key: "name",
  output: () => ({
    name: text9("The name."),
    projectId: text9("The id of the project."),
    verified: flag5("Whether it is verified there."),
    redirect: text9("What it redirects to."),
    gitBranch: text9("The branch it serves."),
    createdAt: time5("When it was added.")
  })
});
var tld = defineLookup({
  name: "tld",
  doc: "The top-level domains that can be bought.",
  endpoint: "GET /v1/registrar/tlds/supported",
  items: "",
  key: "name",
  output: () => ({ name: text9("The top-level domain.") }),
  decode: (object) => ({ name: object })
});
var tldLanguages = defineLookup({
  name: "tldLanguages",
  doc: "The languages in which a domain of a top-level domain can be written.",
  endpoint: "GET /v1/registrar/tlds/{tld}",
  input: () => ({ tld: text9("The top-level domain: `com`.") }),
  output: () => ({ supportedLanguageCodes: json7("The languages by their codes.") })
});
var tldPrice = defineLookup({
  name: "tldPrice",
  doc: "The prices of a top-level domain.",
  endpoint: "GET /v1/registrar/tlds/{tld}/price",
  input: () => ({
    tld: text9("The top-level domain: `com`."),
    years: text9("The number of years.").optional()
  }),
  output: price
});
var domainAvailability = defineLookup({
  name: "domainAvailability",
  doc: "Whether a domain can be bought.",
  endpoint: "GET /v1/registrar/domains/{domain}/availability",
  input: domain2,
  output: () => ({ available: flag5("Whether it is available.") })
});
var domainsAvailability = defineLookup({
  name: "domainsAvailability",
  doc: "Whether several domains can be bought.",
  endpoint: "POST /v1/registrar/domains/availability",
  items: "results",
  key: "domain",
  input: () => ({ domains: texts4("The domains.") }),
  output: () => ({ domain: text9("The domain."), available: flag5("Whether it is available.") })
});
var domainPrice = defineLookup({
  name: "domainPrice",
  doc: "The price of a domain.",
  endpoint: "GET /v1/registrar/domains/{domain}/price",
  input: () => ({ ...domain2(), years: text9("The number of years.").optional() }),
  output: price
});
var domainsPrice = defineLookup({
  name: "domainsPrice",
  doc: "The prices of several domains.",
  endpoint: "POST /v1/registrar/domains/price",
  items: "results",
  key: "domain",
  input: () => ({ domains: texts4("The domains."), years: number7("The number of years.").optional() }),
  output: () => ({ domain: text9("The domain."), ...price() })
});
var domainSearch = defineLookup({
  name: "domainSearch",
  doc: "Availability and prices of domains.",
  endpoint: "POST /v1/registrar/domains/search",
  items: "results",
  key: "domain",
  input: () => ({ domains: texts4("The domains.") }),
  output: () => ({ domain: text9("The domain."), available: flag5("Whether it is available."), ...price() })
});
var contactSchema = defineLookup({
  name: "contactSchema",
  doc: "The additional owner data that a domain's registry requires.",
  endpoint: "GET /v1/registrar/domains/{domain}/contact-info/schema",
  input: domain2,
  output: () => ({ schema: json7("A JSON Schema.") }),
  decode: (object) => ({ schema: object })
});
var domainAuthCode = defineLookup({
  name: "domainAuthCode",
  doc: "The authorization code for transferring a domain to another registrar. It is a secret: use `trueup api` to write it to a file.",
  endpoint: "GET /v1/registrar/domains/{domain}/auth-code",
  input: domain2,
  output: () => ({ authCode: described.secret("The code.") })
});
var domainTransfer = defineLookup({
  name: "domainTransfer",
  doc: "The status of a domain's transfer from another registrar.",
  endpoint: "GET /v1/registrar/domains/{domain}/transfer",
  input: domain2,
  output: () => ({
    status: openEnum([
      ...["created", "pending", "pending_insert", "pending_new_auth_code", "pending_transfer"],
      ...["pending_unlock", "pending_registry_unlock", "submitting_transfer", "completed"],
      ...["canceled", "canceled_pending_refund", "failed", "rejected"]
    ]).describe("Its status.")
  }),
  moves: ["actions"],
  end: {
    field: "status",
    reached: ["completed"],
    ended: ["canceled", "canceled_pending_refund", "failed", "rejected"]
  }
});
var contactVerification = defineLookup({
  name: "contactVerification",
  doc: "Whether a domain's owner has confirmed the e-mail address.",
  endpoint: "GET /v1/registrar/domains/{domain}/contact-verification",
  input: domain2,
  output: () => ({
    verified: flag5("Whether it is confirmed."),
    email: text9("The address."),
    verifyBy: time5("The deadline.")
  }),
  end: { field: "verified", reached: ["true"], ended: [] }
});
var order = defineLookup({
  name: "order",
  doc: "A domain order and its status.",
  endpoint: "GET /v1/registrar/orders/{orderId}",
  input: () => ({ orderId: text9("The id of the order.") }),
  output: () => ({
    orderId: text9("The id of the order."),
    status: openEnum(["draft", "purchasing", "completed", "failed"]).describe("Its status."),
    domains: json7("The domains in it."),
    error: json7("Why it failed.")
  }),
  columns: ["orderId", "status"],
  moves: ["actions"],
  end: { field: "status", reached: ["completed"], ended: ["failed"] }
});

// providers/hosting/lookups/projects.ts
var projects_exports2 = {};
__export(projects_exports2, {
  attackStatus: () => attackStatus,
  eventCount: () => eventCount,
  events: () => events,
  firewallEvent: () => firewallEvent,
  flagVersion: () => flagVersion,
  globalConfigBackup: () => globalConfigBackup,
  image: () => image,
  imageTag: () => imageTag,
  measurement: () => measurement,
  metric: () => metric,
  redirectVersion: () => redirectVersion,
  routeVersion: () => routeVersion,
  teamFlag: () => teamFlag,
  teamFlagSettings: () => teamFlagSettings,
  trace: () => trace,
  visitCount: () => visitCount,
  visits: () => visits
});
var { text: text10, time: time6, number: number8, whole: whole6, flag: flag6, json: json8 } = described;
var versionFields = () => ({
  id: text10("The id of the version."),
  name: text10("Its name."),
  isLive: flag6("Whether it is live."),
  isStaging: flag6("Whether it is staged."),
  createdBy: text10("Who created it."),
  lastModified: time6("When it was last changed.")
});
var redirectVersion = defineLookup({
  name: "redirectVersion",
  doc: "The versions of a project's bulk redirects: live, staged and earlier.",
  endpoint: "GET /v1/bulk-redirects/versions?projectId={project}",
  on: "project",
  items: "versions",
  key: "id",
  output: versionFields,
  moves: ["actions"]
});
var routeVersion = defineLookup({
  name: "routeVersion",
  doc: "The versions of a project's routes: live, staged and earlier.",
  endpoint: "GET /v1/projects/{project}/routes/versions",
  on: "project",
  items: "versions",
  key: "id",
  output: versionFields,
  moves: ["actions"]
});
var globalConfigBackup = defineLookup({
  name: "globalConfigBackup",
  doc: "The backups of a global config, which the platform creates before each change.",
  endpoint: "GET /v1/global-config/{globalConfig}/backups",
  on: "globalConfig",
  items: "backups",
  one: { endpoint: "GET /v1/global-config/{globalConfig}/backups/{id}" },
  key: "id",
  output: () => ({
    id: text10("The version of the backup."),
    lastModified: time6("When its items were written."),
    metadata: json8("Who wrote them, and how many."),
    backup: json8("The items; only when requested by id.")
  }),
  columns: ["id", "lastModified"]
});
var flagVersion = defineLookup({
  name: "flagVersion",
  doc: "The versions of a feature flag: what changed, when and by whom.",
  endpoint: "GET /v1/projects/{project}/feature-flags/flags/{featureFlag}/versions",
  on: "featureFlag",
  items: "versions",
  key: "id",
  input: () => ({ environment: text10("Only changes in this environment.").optional() }),
  output: () => ({
    id: text10("Its id."),
    revision: whole6("Its number."),
    message: text10("The message of the change."),
    createdAt: time6("When it was created."),
    createdBy: text10("Who created it.")
  })
});
var teamFlag = defineLookup({
  name: "teamFlag",
  doc: "The feature flags of all projects of the team.",
  endpoint: "GET /v2/teams/{teamId}/feature-flags/flags",
  items: "data",
  key: "slug",
  input: () => ({
    search: text10("Only names that contain this.").optional(),
    kind: openEnum(["boolean", "string", "number", "json"]).optional().describe("Only this type."),
    state: openEnum(["active", "archived"]).optional().describe("Only these.")
  }),
  output: () => ({
    slug: text10("The name of the flag."),
    kind: text10("Its type."),
    state: text10("`active` or `archived`."),
    projectId: text10("The id of its project."),
    id: text10("Its id."),
    updatedAt: time6("When it was last changed.")
  })
});
var teamFlagSettings = defineLookup({
  name: "teamFlagSettings",
  doc: "The settings of feature flags of all projects of the team.",
  endpoint: "GET /v1/teams/{teamId}/feature-flags/settings",
  items: "data",
  key: "projectId",
  output: () => ({
    projectId: text10("The id of the project."),
    enabled: flag6("Whether feature flags are enabled."),
    environments: json8("The environments that have flags.")
  })
});
var trace = defineLookup({
  name: "trace",
  doc: "The trace of one request to a project.",
  endpoint: "GET /v1/projects/traces?projectId={project}",
  on: "project",
  item: "trace",
  input: () => ({ requestId: text10("The request id, from its response headers.") }),
  output: () => ({ traceId: text10("Its id."), spans: json8("The spans, with durations.") }),
  moves: ["visitors"]
});
var period = () => ({
  since: text10("The start time (ISO 8601)."),
  until: text10("The end time."),
  filter: text10("A filter, in the platform's syntax.").optional()
});
var loosePeriod = () => ({
  since: text10("The start time (ISO 8601).").optional(),
  until: text10("The end time.").optional(),
  filter: text10("A filter, in the platform's syntax.").optional()
});
var grouped = () => ({
  by: text10("The dimension of each row: `country`, `path`."),
  ...period(),
  limit: whole6("The number of rows.").optional()
});
var counted = () => ({ data: json8("The counts."), query: json8("The query.") });
var visits = defineLookup({
  name: "visits",
  doc: "Web Analytics visits of a project, grouped by a dimension.",
  endpoint: "GET /v1/query/web-analytics/visits/aggregate?projectId={project}",
  on: "project",
  input: grouped,
  output: counted,
  moves: ["visitors"]
});
var visitCount = defineLookup({
  name: "visitCount",
  doc: "Web Analytics visits of a project.",
  endpoint: "GET /v1/query/web-analytics/visits/count?projectId={project}",
  on: "project",
  input: loosePeriod,
  output: counted,
  moves: ["visitors"]
});
var events = defineLookup({
  name: "events",
  doc: "Web Analytics custom events of a project, grouped by a dimension.",
  endpoint: "GET /v1/query/web-analytics/events/aggregate?projectId={project}",
  on: "project",
  input: grouped,
  output: counted,
  moves: ["visitors"]
});
var eventCount = defineLookup({
  name: "eventCount",
  doc: "Web Analytics custom events of a project.",
  endpoint: "GET /v1/query/web-analytics/events/count?projectId={project}",
  on: "project",
  input: loosePeriod,
  output: counted,
  moves: ["visitors"]
});
var metric = defineLookup({
  name: "metric",
  doc: "The metrics of Observability and their dimensions.",
  endpoint: "GET /v2/observability/schema",
  items: "metrics",
  one: { endpoint: "GET /v2/observability/schema/{id}" },
  key: "id",
  output: () => ({
    id: text10("Its name."),
    description: text10("What it measures."),
    unit: text10("Its unit."),
    defaultAggregation: text10("Its default aggregation."),
    aggregations: json8("Other aggregations."),
    dimensions: json8("Its dimensions.")
  }),
  // Asked for one, the platform answers a list with it.
  decode: (object) => Array.isArray(object) ? object[0] ?? {} : object,
  columns: ["id", "unit", "description"]
});
var measurement = defineLookup({
  name: "measurement",
  doc: "Values of a metric of Observability.",
  endpoint: "POST /v2/observability/query",
  input: () => ({
    metric: text10("Its name, as shown by `trueup get metric`."),
    scope: json8('The scope: `{"type":"project","projectIds":["prj_1"]}`.'),
    aggregation: text10("The aggregation: `sum`, `p95`.").optional(),
    groupBy: array(string()).optional().describe("The dimensions."),
    filter: text10("A filter, in the platform's syntax.").optional(),
    limit: whole6("The number of rows.").optional(),
    orderBy: text10("The sort key.").optional(),
    orderDirection: _enum(["asc", "desc"]).optional().describe("The sort order."),
    granularity: json8('The interval: `{"hours":1}`.').optional(),
    startTime: text10("The start time (ISO 8601).").optional(),
    endTime: text10("The end time.").optional(),
    bucketTimezone: text10("The time zone: `Europe/Berlin`.").optional()
  }),
  output: () => ({ data: json8("The values."), summary: json8("The totals.") }),
  moves: ["visitors"]
});
var attackStatus = defineLookup({
  name: "attackStatus",
  doc: "Current attacks on a project.",
  endpoint: "GET /v1/security/firewall/attack-status?projectId={project}",
  on: "project",
  items: "anomalies",
  input: () => ({ since: number8("The number of past days.").optional() }),
  output: () => ({
    projectId: text10("The id of the project."),
    state: text10("Its status."),
    startTime: time6("When it started."),
    endTime: time6("When it ended; absent if ongoing."),
    affectedHostMap: json8("The hosts.")
  }),
  columns: ["state", "startTime", "endTime"],
  moves: ["visitors"]
});
var firewallEvent = defineLookup({
  name: "firewallEvent",
  doc: "The firewall events of a project.",
  endpoint: "GET /v1/security/firewall/events?projectId={project}",
  on: "project",
  items: "actions",
  input: () => ({
    startTimestamp: number8("The start time, in milliseconds since 1970.").optional(),
    endTimestamp: number8("The end time.").optional(),
    hosts: text10("Only requests to these hosts, comma-separated.").optional()
  }),
  output: () => ({
    startTime: text10("When it started."),
    endTime: text10("The end time."),
    action_type: text10("The action."),
    host: text10("The requested host."),
    public_ip: text10("The client."),
    count: whole6("The number of requests."),
    isActive: flag6("Whether it is ongoing.")
  }),
  moves: ["visitors"]
});
var image = defineLookup({
  name: "image",
  doc: "The images in a registry repository.",
  endpoint: "GET /v1/vcr/repository/{registryRepository}/images?projectId={project}",
  on: "registryRepository",
  items: "images",
  one: {
    endpoint: "GET /v1/vcr/repository/{registryRepository}/images/{id}?projectId={project}",
    item: "image"
  },
  key: "id",
  output: () => ({
    id: text10("Its id."),
    status: openEnum(["preparing", "ready", "failed"]).describe("Whether it can be used."),
    kind: text10("Its type."),
    tags: json8("Its tags."),
    manifestDigest: text10("The digest of its manifest."),
    sizeInBytes: whole6("Its size."),
    createdAt: time6("When it was pushed.")
  }),
  columns: ["id", "status", "tags", "sizeInBytes", "createdAt"],
  moves: ["pushes"],
  end: { field: "status", reached: ["ready"], ended: ["failed"] }
});
var imageTag = defineLookup({
  name: "imageTag",
  doc: "The tags in a registry repository.",
  endpoint: "GET /v1/vcr/repository/{registryRepository}/tags?projectId={project}",
  on: "registryRepository",
  items: "tags",
  one: { endpoint: "GET /v1/vcr/repository/{registryRepository}/tags/{id}?projectId={project}", item: "tag" },
  key: "tag",
  output: () => ({
    tag: text10("The tag."),
    imageId: text10("The id of its image."),
    status: text10("Whether that image can be used."),
    manifestDigest: text10("The digest of its manifest."),
    sizeInBytes: whole6("Its size."),
    updatedAt: time6("When it was last moved.")
  }),
  columns: ["tag", "imageId", "status", "updatedAt"],
  moves: ["pushes"]
});

// providers/hosting/lookups/sandboxes.ts
var sandboxes_exports2 = {};
__export(sandboxes_exports2, {
  sandboxCommand: () => sandboxCommand,
  sandboxSession: () => sandboxSession,
  sandboxSnapshot: () => sandboxSnapshot
});
var { text: text11, time: time7, whole: whole7, json: json9 } = described;
var paging = () => ({
  project: text11("Only this project, by id or name.").optional(),
  name: text11("Only this sandbox.").optional()
});
var sandboxSession = defineLookup({
  name: "sandboxSession",
  doc: "The sessions of sandboxes.",
  endpoint: "GET /v2/sandboxes/sessions",
  items: "sessions",
  one: { endpoint: "GET /v2/sandboxes/sessions/{id}", item: "session" },
  key: "id",
  input: paging,
  output: () => ({
    id: text11("Its id."),
    sourceSandboxName: text11("The sandbox."),
    status: openEnum([
      "pending",
      "running",
      "stopping",
      "stopped",
      "snapshotting",
      "failed",
      "aborted"
    ]).describe("Its status."),
    region: text11("Its region."),
    runtime: text11("Its runtime."),
    vcpus: whole7("Its vCPUs."),
    memory: whole7("Its memory, in MB."),
    timeout: whole7("Its timeout, in milliseconds."),
    createdAt: time7("When it started.")
  }),
  columns: ["id", "sourceSandboxName", "status", "region", "createdAt"],
  moves: ["actions", "visitors"],
  end: { field: "status", reached: ["stopped"], ended: ["failed", "aborted"] }
});
var sandboxCommand = defineLookup({
  name: "sandboxCommand",
  doc: "The commands of a sandbox session.",
  endpoint: "GET /v2/sandboxes/sessions/{session}/cmd",
  items: "commands",
  one: { endpoint: "GET /v2/sandboxes/sessions/{session}/cmd/{id}", item: "command" },
  key: "id",
  input: () => ({ session: text11("The id of the session.") }),
  output: () => ({
    id: text11("Its id."),
    name: text11("The program."),
    args: json9("Its arguments."),
    cwd: text11("The working directory."),
    exitCode: whole7("Its exit code, once it has finished."),
    startedAt: time7("When it started.")
  }),
  moves: ["actions"],
  end: { field: "exitCode", reached: ["0"], ended: [...Array(255).keys()].map((code) => String(code + 1)) }
});
var sandboxSnapshot = defineLookup({
  name: "sandboxSnapshot",
  doc: "The snapshots of sandbox file systems.",
  endpoint: "GET /v2/sandboxes/snapshots",
  items: "snapshots",
  one: { endpoint: "GET /v2/sandboxes/snapshots/{id}", item: "snapshot" },
  key: "id",
  input: paging,
  output: () => ({
    id: text11("Its id."),
    sourceSessionId: text11("The session it was taken from."),
    status: openEnum(["created", "deleted", "failed"]).describe("Its status."),
    sizeBytes: whole7("Its size."),
    createdAt: time7("When it was created."),
    lastUsedAt: time7("When it was last used.")
  }),
  columns: ["id", "status", "sizeBytes", "createdAt"],
  moves: ["actions"]
});

// providers/hosting/lookups/team.ts
var team_exports2 = {};
__export(team_exports2, {
  cacheStatus: () => cacheStatus,
  event: () => event,
  eventType: () => eventType,
  gitNamespace: () => gitNamespace,
  gitRepository: () => gitRepository,
  integration: () => integration2,
  integrationPlan: () => integrationPlan,
  integrationProduct: () => integrationProduct,
  teamRequest: () => teamRequest
});
var { text: text12, time: time8, flag: flag7, json: json10 } = described;
var event = defineLookup({
  name: "event",
  doc: "The activity of the account, newest first.",
  endpoint: "GET /v3/events?projectIds={project}",
  on: "project",
  items: "events",
  key: "id",
  input: () => ({
    types: text12("Only these types, comma-separated.").optional(),
    since: text12("The start time (ISO 8601).").optional(),
    until: text12("The end time.").optional(),
    principalId: text12("Only events of this user or token.").optional()
  }),
  output: () => ({
    id: text12("Its id."),
    type: text12("Its type."),
    text: text12("A description."),
    createdAt: time8("When."),
    userId: text12("The id of the actor.")
  }),
  columns: ["createdAt", "type", "text", "userId"],
  moves: ["actions", "pushes", "visitors"]
});
var eventType = defineLookup({
  name: "eventType",
  doc: "The types of events.",
  endpoint: "GET /v1/events/types",
  items: "types",
  key: "name",
  output: () => ({
    name: text12("The type."),
    category: text12("Its category."),
    description: text12("What it means."),
    deprecated: flag7("Whether it is deprecated.")
  })
});
var teamRequest = defineLookup({
  name: "teamRequest",
  doc: "The request of a user to join the team.",
  endpoint: "GET /v1/teams/{teamId}/request/{user}",
  input: () => ({ user: text12("The id of the user.") }),
  output: () => ({
    teamName: text12("The name of the team."),
    confirmed: flag7("Whether it was confirmed."),
    accessRequestedAt: time8("When it was requested."),
    joinedFrom: json10("The origin.")
  }),
  end: { field: "confirmed", reached: ["true"], ended: [] }
});
var cacheStatus = defineLookup({
  name: "cacheStatus",
  doc: "Whether the remote build cache is enabled.",
  endpoint: "GET /v8/artifacts/status",
  output: () => ({
    status: openEnum(["enabled", "disabled", "over_limit", "paused"]).describe("Its status.")
  })
});
var gitNamespace = defineLookup({
  name: "gitNamespace",
  doc: "The organisations and accounts of Git providers that the owner of the token can connect.",
  endpoint: "GET /v1/integrations/git-namespaces",
  items: "",
  key: "slug",
  input: () => ({
    provider: openEnum(["github", "github-custom-host", "gitlab", "bitbucket"]).optional().describe("Only this provider."),
    host: text12("The host of a self-hosted provider.").optional()
  }),
  output: () => ({
    slug: text12("Its slug."),
    name: text12("Its name."),
    provider: text12("Its provider."),
    ownerType: text12("A user or a team."),
    id: json10("Its id."),
    installationId: json10("The id of the app installation."),
    isAccessRestricted: flag7("Whether access is limited to some repositories.")
  }),
  columns: ["slug", "provider", "ownerType", "id"]
});
var gitRepository = defineLookup({
  name: "gitRepository",
  doc: "The repositories of a Git provider that the owner of the token can connect.",
  endpoint: "GET /v1/integrations/search-repo",
  items: "repos",
  key: "slug",
  input: () => ({
    query: text12("Only names that contain this.").optional(),
    namespaceId: text12("Only this organisation, by id.").optional(),
    provider: openEnum(["github", "github-custom-host", "gitlab", "bitbucket"]).optional().describe("Only this provider."),
    installationId: text12("The app installation.").optional(),
    host: text12("The host of a self-hosted provider.").optional()
  }),
  output: () => ({
    slug: text12("Its name."),
    namespace: text12("Its owner."),
    url: text12("Its provider."),
    defaultBranch: text12("Its default branch."),
    private: flag7("Whether it is private."),
    updatedAt: time8("When it was last changed."),
    id: json10("Its id.")
  }),
  columns: ["namespace", "slug", "defaultBranch", "updatedAt"]
});
var integration2 = defineLookup({
  name: "integration",
  doc: "The integrations installed in the account.",
  endpoint: "GET /v1/integrations/configurations",
  items: "",
  one: { endpoint: "GET /v1/integrations/configuration/{id}" },
  key: "id",
  input: () => ({
    view: openEnum(["account", "project"]).default("account").describe("Those of the account, or of projects."),
    installationType: openEnum(["marketplace", "external", "provisioning"]).optional().describe("Only this type."),
    integrationIdOrSlug: text12("Only this integration.").optional()
  }),
  output: () => ({
    id: text12("The id of the installation: `icfg_...`."),
    slug: text12("The integration."),
    integrationId: text12("The id of the integration."),
    installationType: text12("How it is billed and provisioned."),
    projectSelection: text12("All projects, or some."),
    createdAt: time8("When it was installed.")
  }),
  columns: ["id", "slug", "installationType", "createdAt"]
});
var integrationProduct = defineLookup({
  name: "integrationProduct",
  doc: "The products of an installed integration, such as databases.",
  endpoint: "GET /v1/integrations/configuration/{integration}/products",
  items: "products",
  key: "slug",
  input: () => ({ integration: text12("The id of the installation: `icfg_...`.") }),
  output: () => ({
    id: text12("The id of the product."),
    slug: text12("Its slug."),
    name: text12("Its name."),
    protocols: json10("Its protocols."),
    metadataSchema: json10("The schema of its resources' metadata.")
  }),
  columns: ["id", "slug", "name"]
});
var integrationPlan = defineLookup({
  name: "integrationPlan",
  doc: "The plans of an integration's product.",
  endpoint: "GET /v1/integrations/integration/{integration}/products/{product}/plans",
  items: "plans",
  key: "id",
  input: () => ({
    integration: text12("The integration: its id or slug."),
    product: text12("The product: its id or slug."),
    integrationConfigurationId: text12("The installation.").optional(),
    metadata: text12("The settings of the resource, as JSON.").optional()
  }),
  output: () => ({
    id: text12("The id of the plan."),
    name: text12("Its name."),
    type: text12("Subscription or prepayment."),
    description: text12("Its details."),
    cost: text12("What it costs."),
    disabled: flag7("Whether it is unavailable.")
  }),
  columns: ["id", "name", "type", "cost"]
});

// providers/hosting/day-two.ts
var dayTwo = dayTwoOf(
  {
    Deployments: Object.values(deployments_exports),
    Projects: Object.values(projects_exports),
    Domains: Object.values(domains_exports),
    Firewall: Object.values(security_exports),
    "Connectors and keys": Object.values(connect_exports),
    Sandboxes: Object.values(sandboxes_exports),
    Account: Object.values(team_exports)
  },
  {
    Deployments: Object.values(deployments_exports2),
    Projects: Object.values(projects_exports2),
    Domains: Object.values(domains_exports2),
    Sandboxes: Object.values(sandboxes_exports2),
    Account: Object.values(team_exports2)
  },
  byApi
);
return{dayTwo:dayTwo};})();exports.part_ZG3VEZSV=part_ZG3VEZSV;
