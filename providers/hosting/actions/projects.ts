import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, integer, json } = described;

export const pause = defineAction({
  name: 'pause',
  doc: 'Pauses a project: visitors get an error page until it is resumed.',
  endpoint: 'POST /v1/projects/{project}/pause',
  on: 'project',
  grade: 'disruptive',
  why: 'visitors can no longer reach the project',
  repeatable: true,
});

export const unpause = defineAction({
  name: 'unpause',
  doc: 'Resumes a project that was paused.',
  endpoint: 'POST /v1/projects/{project}/unpause',
  on: 'project',
  grade: 'disruptive',
  why: 'visitors can reach the project again',
  repeatable: true,
});

export const transferProject = defineAction({
  name: 'transferProject',
  doc: 'Offers a project to another team: for a day, anyone with the code can accept the transfer.',
  endpoint: 'POST /projects/{project}/transfer-request',
  on: 'project',
  input: () => ({
    callbackUrl: text('A URL that is called when the transfer is accepted.').optional(),
    callbackSecret: described.secret('The secret that signs that call.').optional(),
  }),
  grade: 'irreversible',
  why: 'anyone with the code can take the project for good',
  shows: 'code',
});

export const acceptProject = defineAction({
  name: 'acceptProject',
  doc: 'Accepts a project that another team offers.',
  endpoint: 'PUT /projects/transfer-request/{code}',
  input: () => ({
    code: described.secret('The code from the other team.'),
    newProjectName: text('Its new name.').optional(),
    paidFeatures: json('The paid features to keep, as named by the platform.').optional(),
    acceptedPolicies: json(
      'The accepted policies, by integration: `{"neon":{"eula":"...","privacy":"..."}}`.',
    ).optional(),
  }),
  grade: 'disruptive',
  why: 'the project changes owner',
  cost: 'its paid features are charged to this account',
  output: () => ({ transferredStoreIds: texts('The stores transferred with it.') }),
});

export const oidcToken = defineAction({
  name: 'oidcToken',
  doc: 'Issues an OIDC token of a project, as for its development environment.',
  endpoint: 'POST /v1/projects/{project}/token',
  on: 'project',
  input: () => ({ source: text("The caller, for the platform's records.").optional() }),
  grade: 'safe',
  shows: 'token',
});

export const traceSession = defineAction({
  name: 'traceSession',
  doc: 'Starts a session that traces requests to a host of the project.',
  endpoint: 'POST /v1/projects/traces/session',
  on: 'project',
  input: () => ({ hostname: text('The host: `www.example.com`.') }),
  body: ({ input: { hostname }, ids: { project } }) => ({ projectId: project, hostname }),
  grade: 'safe',
  shows: 'token',
});

export const restoreRedirects = defineAction({
  name: 'restoreRedirects',
  doc: 'Restores redirects of an earlier version into a new staged version.',
  endpoint: 'POST /v1/bulk-redirects/restore?projectId={project}',
  on: 'project',
  input: () => ({
    redirects: texts('The ids of the redirects.'),
    name: text('The name of the new version.').optional(),
  }),
  grade: 'safe',
  output: () => ({
    restored: texts('The restored redirects.'),
    failedToRestore: texts('The redirects that could not be restored.'),
    version: json('The new version.'),
  }),
});

export const generateRoute = defineAction({
  name: 'generateRoute',
  doc: 'Generates a route from a description. Nothing is changed.',
  endpoint: 'POST /v1/projects/{project}/routes/generate',
  on: 'project',
  input: () => ({
    prompt: text('What it should do.'),
    currentRoute: json('The route to change; omit for a new one.').optional(),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({
    route: json('The route, in the form of a configuration.'),
    error: text('Why there is none.'),
  }),
});

const tagged = () => ({
  tags: texts('The tags.'),
  target: z.enum(['production', 'preview']).optional().describe('Only this target; both if omitted.'),
});
const pictured = () => ({ srcImages: texts('The image sources, as in `src`.') });
/** Describes the input with the deadline for revalidation of cached pages. */
const deadline = () => ({
  revalidationDeadlineSeconds: integer(
    'The deadline for revalidation, in seconds; immediate if omitted.',
  ).optional(),
});

export const invalidateByTags = defineAction({
  name: 'invalidateByTags',
  doc: 'Marks cache entries with these tags as stale: visitors still get them while they are revalidated.',
  endpoint: 'POST /v1/edge-cache/invalidate-by-tags?projectIdOrName={project}',
  on: 'project',
  input: tagged,
  grade: 'safe',
  repeatable: true,
  declarable: true,
});

export const invalidateBySrcImages = defineAction({
  name: 'invalidateBySrcImages',
  doc: 'Marks cached images as stale: visitors still get them while they are revalidated.',
  endpoint: 'POST /v1/edge-cache/invalidate-by-src-images?projectIdOrName={project}',
  on: 'project',
  input: pictured,
  grade: 'safe',
  repeatable: true,
  declarable: true,
});

export const dangerouslyDeleteByTags = defineAction({
  name: 'dangerouslyDeleteByTags',
  doc: 'Deletes cache entries with these tags: the next visitors wait until they are regenerated.',
  endpoint: 'POST /v1/edge-cache/dangerously-delete-by-tags?projectIdOrName={project}',
  on: 'project',
  input: () => ({ ...tagged(), ...deadline() }),
  grade: 'disruptive',
  why: 'all visitors hit the origin at once and may overload it',
  repeatable: true,
});

export const dangerouslyDeleteBySrcImages = defineAction({
  name: 'dangerouslyDeleteBySrcImages',
  doc: 'Deletes cached images: the next visitors wait until they are regenerated.',
  endpoint: 'POST /v1/edge-cache/dangerously-delete-by-src-images?projectIdOrName={project}',
  on: 'project',
  input: () => ({ ...pictured(), ...deadline() }),
  grade: 'disruptive',
  why: 'all visitors hit the origin at once and may overload it',
  repeatable: true,
});

export const purgeArtifacts = defineAction({
  name: 'purgeArtifacts',
  doc: 'Deletes everything in the remote build cache.',
  endpoint: 'DELETE /v8/artifacts',
  grade: 'destructive',
  why: 'all builds start without a cache',
  repeatable: true,
  output: () => ({ deletedCount: integer('How many were deleted.') }),
});

export const testDrain = defineAction({
  name: 'testDrain',
  doc: "Sends a sample to a drain's destination to test delivery.",
  endpoint: 'POST /v1/drains/test',
  input: () => ({
    schemas: json('The schemas to deliver, by name: `{"log":{"version":"v1"}}`.'),
    delivery: json('The destination, as in the drain.'),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({
    status: text('The result.'),
    endpoint: text('Where it was sent.'),
    error: text('Why it failed.'),
  }),
});

export const restoreGlobalConfig = defineAction({
  name: 'restoreGlobalConfig',
  doc: 'Restores the items of a global config from a backup.',
  endpoint: 'POST /v1/global-config/{globalConfig}/backups/{backup}/restore',
  on: 'globalConfig',
  input: () => ({ backup: text('The version of the backup, as `trueup get globalConfigBackup` shows it.') }),
  grade: 'destructive',
  why: 'its current items are replaced',
  repeatable: true,
  output: () => ({
    status: text('The result.'),
    digest: text('The digest of the new items.'),
    previousDigest: text('The digest of the old items.'),
  }),
});

const canary = () => ({ canaryDeploymentId: text('The id of the deployment to roll out.') });
const untilRollout = { lookup: 'rollout', input: () => ({}) };
const rollout = () => ({ rollingRelease: json('The new state of the rolling release.') });

export const approveStage = defineAction({
  name: 'approveStage',
  doc: 'Approves the next stage of a rolling release: more visitors get the new deployment.',
  endpoint: 'POST /v1/projects/{project}/rolling-release/approve-stage',
  on: 'project',
  input: () => ({ ...canary(), nextStageIndex: integer('The stage, counted from 0.') }),
  grade: 'disruptive',
  why: 'more visitors see the new deployment',
  repeatable: true,
  output: rollout,
  until: untilRollout,
});

export const startRollout = defineAction({
  name: 'startRollout',
  doc: 'Starts a rolling release of a deployment.',
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
  doc: 'Completes a rolling release immediately: all visitors get the new deployment.',
  endpoint: 'POST /v1/projects/{project}/rolling-release/complete',
  on: 'project',
  input: canary,
  grade: 'disruptive',
  why: 'all visitors immediately see the new deployment',
  repeatable: true,
  output: rollout,
  until: untilRollout,
});

export const uninstallIntegration = defineAction({
  name: 'uninstallIntegration',
  doc: 'Uninstalls an integration and everything it created.',
  endpoint: 'DELETE /v1/integrations/configuration/{id}',
  input: () => ({ id: text('The id of the installation: `icfg_...`.') }),
  grade: 'irreversible',
  why: 'everything the integration created is deleted, and its secrets cannot be restored',
});

export const deleteImage = defineAction({
  name: 'deleteImage',
  doc: 'Deletes an image from a repository of the registry.',
  endpoint: 'DELETE /v1/vcr/repository/{registryRepository}/images/{image}?projectId={project}',
  on: 'registryRepository',
  input: () => ({ image: text('The id of the image.') }),
  grade: 'irreversible',
  why: 'a deleted image cannot be restored',
});
