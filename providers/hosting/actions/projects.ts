import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, whole, json } = described;

export const pause = defineAction({
  name: 'pause',
  doc: 'Pauses a project: visitors get an error page until it is resumed.',
  endpoint: 'POST /v1/projects/{project}/pause',
  on: 'project',
  grade: 'disruptive',
  why: 'nobody reaches the project any more',
  repeatable: true,
});

export const unpause = defineAction({
  name: 'unpause',
  doc: 'Resumes a project that was paused.',
  endpoint: 'POST /v1/projects/{project}/unpause',
  on: 'project',
  grade: 'disruptive',
  why: 'visitors reach the project again',
  repeatable: true,
});

export const transferProject = defineAction({
  name: 'transferProject',
  doc: 'Offers a project to another team: whoever has the code, which is valid for a day, can take it over.',
  endpoint: 'POST /projects/{project}/transfer-request',
  on: 'project',
  input: () => ({
    callbackUrl: text('Told once it is taken over.').optional(),
    callbackSecret: described.secret('Signs what is told there.').optional(),
  }),
  grade: 'irreversible',
  why: 'whoever has the code can take the project, and it is not given back',
  shows: 'code',
});

export const acceptProject = defineAction({
  name: 'acceptProject',
  doc: 'Takes over a project that another team offers.',
  endpoint: 'PUT /projects/transfer-request/{code}',
  input: () => ({
    code: described.secret('The code that the other team gave.'),
    newProjectName: text('Its name from then on.').optional(),
    paidFeatures: json('The paid features that it keeps, as the platform names them.').optional(),
    acceptedPolicies: json(
      'The policies agreed to, by integration: `{"neon":{"eula":"...","privacy":"..."}}`.',
    ).optional(),
  }),
  grade: 'disruptive',
  why: 'the project changes hands',
  cost: 'its paid features are charged to this account',
  output: () => ({ transferredStoreIds: texts('The stores that came along.') }),
});

export const oidcToken = defineAction({
  name: 'oidcToken',
  doc: 'Mints an OIDC token of a project, as its development environment gets it.',
  endpoint: 'POST /v1/projects/{project}/token',
  on: 'project',
  input: () => ({ source: text('What asks, for the record of the platform.').optional() }),
  grade: 'safe',
  shows: 'token',
});

export const traceSession = defineAction({
  name: 'traceSession',
  doc: 'Begins a session in which requests to a host of the project are traced.',
  endpoint: 'POST /v1/projects/traces/session',
  on: 'project',
  input: () => ({ hostname: text('The host: `www.example.com`.') }),
  body: ({ input: { hostname }, ids: { project } }) => ({ projectId: project, hostname }),
  grade: 'safe',
  shows: 'token',
});

export const restoreRedirects = defineAction({
  name: 'restoreRedirects',
  doc: 'Brings redirects of an earlier version back, into a new version that is staged.',
  endpoint: 'POST /v1/bulk-redirects/restore?projectId={project}',
  on: 'project',
  input: () => ({
    redirects: texts('The ids of the redirects.'),
    name: text('The name of the new version.').optional(),
  }),
  grade: 'safe',
  output: () => ({
    restored: texts('Those that are back.'),
    failedToRestore: texts('Those that are not.'),
    version: json('The new version.'),
  }),
});

export const generateRoute = defineAction({
  name: 'generateRoute',
  doc: 'Has the platform write a route from a sentence. Nothing is changed.',
  endpoint: 'POST /v1/projects/{project}/routes/generate',
  on: 'project',
  input: () => ({
    prompt: text('What it is to do.'),
    currentRoute: json('The route that is changed, where it is not a new one.').optional(),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({ route: json('The route, as a configuration has it.'), error: text('Why there is none.') }),
});

const tagged = () => ({
  tags: texts('The tags.'),
  target: z
    .enum(['production', 'preview'])
    .optional()
    .describe('Only what is kept for this; both without it.'),
});
const pictured = () => ({ srcImages: texts('The sources of the images, as `src` has them.') });
const deadline = () => ({
  revalidationDeadlineSeconds: whole('Within these seconds it is made anew; at once without it.').optional(),
});

export const invalidateByTags = defineAction({
  name: 'invalidateByTags',
  doc: 'Marks what the cache keeps under some tags as stale: visitors get it once more while it is made anew.',
  endpoint: 'POST /v1/edge-cache/invalidate-by-tags?projectIdOrName={project}',
  on: 'project',
  input: tagged,
  grade: 'safe',
  repeatable: true,
  declarable: true,
});

export const invalidateBySrcImages = defineAction({
  name: 'invalidateBySrcImages',
  doc: 'Marks what the cache keeps of some images as stale: visitors get it once more while it is made anew.',
  endpoint: 'POST /v1/edge-cache/invalidate-by-src-images?projectIdOrName={project}',
  on: 'project',
  input: pictured,
  grade: 'safe',
  repeatable: true,
  declarable: true,
});

export const dangerouslyDeleteByTags = defineAction({
  name: 'dangerouslyDeleteByTags',
  doc: 'Takes what the cache keeps under some tags out of it: the next visitors wait until it is made anew.',
  endpoint: 'POST /v1/edge-cache/dangerously-delete-by-tags?projectIdOrName={project}',
  on: 'project',
  input: () => ({ ...tagged(), ...deadline() }),
  grade: 'disruptive',
  why: 'all visitors reach the origin at once, which may be more than it bears',
  repeatable: true,
});

export const dangerouslyDeleteBySrcImages = defineAction({
  name: 'dangerouslyDeleteBySrcImages',
  doc: 'Takes what the cache keeps of some images out of it: the next visitors wait until it is made anew.',
  endpoint: 'POST /v1/edge-cache/dangerously-delete-by-src-images?projectIdOrName={project}',
  on: 'project',
  input: () => ({ ...pictured(), ...deadline() }),
  grade: 'disruptive',
  why: 'all visitors reach the origin at once, which may be more than it bears',
  repeatable: true,
});

export const purgeArtifacts = defineAction({
  name: 'purgeArtifacts',
  doc: 'Deletes everything that the remote cache of builds keeps.',
  endpoint: 'DELETE /v8/artifacts',
  grade: 'destructive',
  why: 'all builds begin without a cache',
  repeatable: true,
  output: () => ({ deletedCount: whole('How many were deleted.') }),
});

export const testDrain = defineAction({
  name: 'testDrain',
  doc: 'Sends a sample to where a drain is to deliver, to see whether it arrives.',
  endpoint: 'POST /v1/drains/test',
  input: () => ({
    schemas: json('What is delivered, by name: `{"log":{"version":"v1"}}`.'),
    delivery: json('Where to, as the drain has it.'),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({
    status: text('How it went.'),
    endpoint: text('Where it was sent.'),
    error: text('Why it did not arrive.'),
  }),
});

export const restoreGlobalConfig = defineAction({
  name: 'restoreGlobalConfig',
  doc: 'Gives a global config the items of one of its backups again.',
  endpoint: 'POST /v1/global-config/{globalConfig}/backups/{backup}/restore',
  on: 'globalConfig',
  input: () => ({ backup: text('The version of the backup, as `trueup get globalConfigBackup` shows it.') }),
  grade: 'destructive',
  why: 'the items that it has now are replaced',
  repeatable: true,
  output: () => ({
    status: text('How it went.'),
    digest: text('The digest of the items from now on.'),
    previousDigest: text('That of those before.'),
  }),
});

const canary = () => ({ canaryDeploymentId: text('The id of the deployment that is rolled out.') });
const untilRollout = { lookup: 'rollout', input: () => ({}) };
const rollout = () => ({ rollingRelease: json('The rolling release, as it is from now on.') });

export const approveStage = defineAction({
  name: 'approveStage',
  doc: 'Approves the next stage of a rolling release: more visitors get the new deployment.',
  endpoint: 'POST /v1/projects/{project}/rolling-release/approve-stage',
  on: 'project',
  input: () => ({ ...canary(), nextStageIndex: whole('The stage, counted from 0.') }),
  grade: 'disruptive',
  why: 'more visitors see the new deployment',
  repeatable: true,
  output: rollout,
  until: untilRollout,
});

export const startRollout = defineAction({
  name: 'startRollout',
  doc: 'Begins a rolling release of a deployment.',
  endpoint: 'POST /v1/projects/{project}/rolling-release/start',
  on: 'project',
  input: canary,
  grade: 'disruptive',
  why: 'some visitors see the new deployment',
  output: rollout,
  until: untilRollout,
});

export const completeRollout = defineAction({
  name: 'completeRollout',
  doc: 'Ends a rolling release at once: all visitors get the new deployment.',
  endpoint: 'POST /v1/projects/{project}/rolling-release/complete',
  on: 'project',
  input: canary,
  grade: 'disruptive',
  why: 'all visitors see the new deployment at once',
  repeatable: true,
  output: rollout,
  until: untilRollout,
});

export const uninstallIntegration = defineAction({
  name: 'uninstallIntegration',
  doc: 'Uninstalls an integration, with all that it made.',
  endpoint: 'DELETE /v1/integrations/configuration/{id}',
  input: () => ({ id: text('The id of the installation: `icfg_...`.') }),
  grade: 'irreversible',
  why: 'what the integration made goes with it, and its secrets do not come back',
});

export const deleteImage = defineAction({
  name: 'deleteImage',
  doc: 'Deletes an image from a repository of the registry.',
  endpoint: 'DELETE /v1/vcr/repository/{registryRepository}/images/{image}?projectId={project}',
  on: 'registryRepository',
  input: () => ({ image: text('The id of the image.') }),
  grade: 'irreversible',
  why: 'an image does not come back',
});
