import type { Vercel } from '@vercel/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

// The SDK checks every answer against its own schemas: what passes here has the shape that the public client expects.
let twin: Twin;
let sdk: Vercel;
const scope = { slug: 'acme', projectIdOrName: 'web' };
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
  sdk = sdkOf(twin.url);
});
afterEach(() => twin.close());

story('creates, lists, changes and deletes flags', async () => {
  const off = { type: 'variant', variantId: 'off' };
  const production = { active: true, pausedOutcome: off, fallthrough: off, rules: [] };
  const created = await sdk.featureFlags.createFlag({
    ...scope,
    requestBody: {
      slug: 'beta',
      kind: 'boolean',
      variants: [{ id: 'off', value: false }],
      environments: { production },
    },
  });
  expect(created).toMatchObject({ slug: 'beta', revision: 1 });
  const flag = { ...scope, flagIdOrSlug: 'beta' };
  expect(await sdk.featureFlags.getFlag(flag)).toEqual(created);
  expect((await sdk.featureFlags.listFlags(scope)).data).toMatchObject([{ slug: 'beta' }]);
  expect((await sdk.featureFlags.listFlagsV2(scope)).data).toMatchObject([{ slug: 'beta' }]);
  const { data } = await sdk.featureFlags.listTeamFlagsV2({ teamId: twin.account.teams[0]!.id });
  expect(data).toMatchObject([{ slug: 'beta' }]);
  const requestBody = { state: 'archived' as const };
  expect(await sdk.featureFlags.updateFlag({ ...flag, requestBody })).toMatchObject({ state: 'archived' });
  await sdk.featureFlags.deleteFlag(flag);
  expect((await sdk.featureFlags.listFlags({ ...scope, state: 'archived' })).data).toEqual([]);
});

story('creates, lists, changes and deletes segments', async () => {
  const requestBody = { slug: 'staff', label: 'Staff', hint: '', data: { rules: [] } };
  const created = await sdk.featureFlags.createFlagSegment({ ...scope, requestBody });
  const segment = { ...scope, segmentIdOrSlug: created.id };
  expect(await sdk.featureFlags.getFlagSegment(segment)).toEqual(created);
  expect((await sdk.featureFlags.listFlagSegments(scope)).data).toEqual([created]);
  const changed = await sdk.featureFlags.updateFlagSegment({ ...segment, requestBody: { label: 'All' } });
  expect(changed).toMatchObject({ label: 'All' });
  await sdk.featureFlags.deleteFlagSegment(segment);
  expect((await sdk.featureFlags.listFlagSegments(scope)).data).toEqual([]);
});

it('reads and writes settings', async () => {
  expect(await sdk.featureFlags.getFlagSettings(scope)).toMatchObject({ enabled: false });
  const requestBody = { enabled: true };
  expect(await sdk.featureFlags.updateFlagSettings({ ...scope, requestBody })).toMatchObject(requestBody);
  const teamId = twin.account.teams[0]!.id;
  expect(await sdk.featureFlags.listTeamFlagSettings({ teamId })).toMatchObject({ data: [requestBody] });
});

it('creates, lists and deletes SDK keys', async () => {
  const requestBody = { sdkKeyType: 'server' as const, environment: 'production' };
  const { hashKey, keyValue } = await sdk.featureFlags.createSDKKey({ ...scope, requestBody });
  expect(keyValue).toMatch(/^vf_server_/);
  await sdk.featureFlags.deleteSDKKey({ ...scope, hashKey });
  const { data } = await sdk.featureFlags.getSDKKeys(scope);
  expect(data).toMatchObject([{ hashKey, type: 'server', deletedAt: expect.any(Number) }]);
});
