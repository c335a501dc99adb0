import type { Sample } from '../support/sample.ts';

export const blobStore: Sample = {
  place: (block) => ({ blobStores: { LABEL: block } }),
  leaves: {
    region: ['fra1', 'cdg1'],
    access: ['private', 'public'],
  },
  seed: { account: { blobStores: [{ id: 'store_uploads', name: 'uploads' }] } },
  requests: async ({ go, all }) => {
    const { store } = await go('POST', '/storage/stores/blob', { name: 'other' });
    await all(['DELETE', `/storage/stores/blob/${store.id}`]);
  },
};
