import { expect } from 'vitest';
import type { FactCase } from './fact-case.ts';

const everywhere = '0.0.0.0/0';

/** Facts about the firewall, the members and the stores of a team. */
export const teamCases: FactCase[] = [
  {
    fact: 'PF66',
    title: 'the id of a bypass is PROJECT#IP, or PROJECT#DOMAIN#IP for a domain',
    seed: { projects: [{ id: 'prj_pf66', name: 'pf66', domains: [{ name: 'pf66.example.com' }] }] },
    steps: [
      {
        request: [
          'POST',
          '/v1/security/firewall/bypass?projectId=prj_pf66',
          { projectScope: true, sourceIp: '192.0.2.0/24' },
        ],
        status: 200,
        body: { result: [{ Id: 'prj_pf66#192.0.2.0/24' }] },
      },
      {
        request: [
          'POST',
          '/v1/security/firewall/bypass?projectId=prj_pf66',
          { domain: 'pf66.example.com', sourceIp: '192.0.2.1' },
        ],
        status: 200,
        body: { result: [{ Id: 'prj_pf66#pf66.example.com#192.0.2.1' }] },
      },
    ],
  },
  {
    fact: 'PF67',
    title: 'all sources read as a range, which a creation takes as well',
    seed: { projects: [{ id: 'prj_pf67', name: 'pf67', domains: [{ name: 'pf67.example.com' }] }] },
    steps: [
      {
        request: [
          'POST',
          '/v1/security/firewall/bypass?projectId=prj_pf67',
          { projectScope: true, allSources: true },
        ],
        status: 200,
        body: { result: [{ Ip: everywhere }] },
      },
      {
        request: [
          'POST',
          '/v1/security/firewall/bypass?projectId=prj_pf67',
          { domain: 'pf67.example.com', sourceIp: everywhere },
        ],
        status: 200,
        body: { result: [{ Ip: everywhere, Domain: 'pf67.example.com' }] },
      },
      {
        // The Terraform provider names the project by the domain `*` where it removes a bypass.
        request: [
          'DELETE',
          '/v1/security/firewall/bypass?projectId=prj_pf67',
          { domain: '*', sourceIp: everywhere },
        ],
        status: 200,
      },
    ],
  },
  {
    fact: 'PF76',
    title: 'version 1 of an invitation takes one person, version 2 a list',
    steps: [
      {
        request: ['POST', '/v1/teams/acme/members', { email: 'one@example.com', role: 'MEMBER' }],
        status: 200,
        body: { email: 'one@example.com', role: 'MEMBER' },
      },
      {
        request: ['POST', '/v2/teams/acme/members', [{ email: 'two@example.com' }]],
        status: 200,
        body: { email: 'two@example.com' },
      },
      {
        request: ['POST', '/v2/teams/acme/members', { email: 'three@example.com' }],
        status: 400,
        rule: 'published',
      },
    ],
  },
  {
    fact: 'PF81',
    title: 'a store reads with its owner and the size and number of its files',
    steps: [
      {
        request: ['POST', '/v1/storage/stores/blob', { name: 'pf81' }],
        status: 200,
        body: { store: { access: 'public', region: 'iad1' } },
      },
      ({ body: { store } }) => ({
        request: ['GET', `/v1/storage/stores/${store.id}`],
        status: 200,
        body: {
          store: { name: 'pf81', type: 'blob', size: 0, count: 0, ownerId: expect.stringMatching(/^team_/) },
        },
      }),
    ],
  },
];
