import { flag, inProject, type Sample } from '../support/sample.ts';

export const bulkRedirects: Sample = {
  place: (block) => inProject({ bulkRedirects: { '/old': block } }),
  base: { destination: '/new' },
  leaves: {
    destination: ['/one', '/two'],
    statusCode: [301, 308],
    caseSensitive: flag,
    query: flag,
    preserveQueryParams: flag,
  },
  seed: {
    project: {
      bulkRedirects: [{ source: '/old', destination: '/' }],
      stagedBulkRedirects: [{ source: '/new', destination: '/' }],
    },
  },
  requests: async ({ go, all, shop: { id, accountId } }) => {
    const redirects = '/v1/bulk-redirects';
    const at = (path: string) => `${redirects}${path}?projectId=${id}`;
    const { version } = await go('PUT', redirects, {
      projectId: id,
      teamId: accountId,
      redirects: [{ source: '/a', destination: '/b' }],
    });
    await all(
      ['POST', at('/versions'), { id: version.id, action: 'promote' }],
      ['PATCH', at(''), { redirect: { source: '/a', destination: '/c' } }],
      ['DELETE', at(''), { redirects: ['/a'] }],
      ['POST', at('/restore'), { redirects: ['/a'] }],
    );
  },
};
