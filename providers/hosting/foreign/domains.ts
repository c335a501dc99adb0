import { X509Certificate } from 'node:crypto';
import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** Converts a `vercel_project_domain` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function projectDomain(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = present({
    name: attributes.text('domain'),
    ...attributes.renamed({
      custom_environment_id: 'customEnvironmentId',
      git_branch: 'gitBranch',
      redirect: 'redirect',
      redirect_status_code: 'redirectStatusCode',
    }),
  });
  return attributes.reading([{ kind: 'projectDomain', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_domain` of a Terraform state to objects of the account, for `trueup from terraform`. Skips facts that the platform
 * computes.
 */
export function domain(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'bought_at', 'created_at', 'custom_nameservers', 'expires_at');
  attributes.skip('intended_nameservers', 'nameservers', 'verified');
  const name = attributes.text('name')!;
  return attributes.reading([{ kind: 'domain', object: present({ name, zone: attributes.take('zone') }) }]);
}

/** Returns the domain of a DNS record as a named object: it has to exist, but need not be a resource of the state. */
export const zoneOf = (name: string): ForeignObject => ({
  kind: 'domain',
  object: { name },
  isOnlyNamed: true,
});

/** Converts a `vercel_dns_record` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function dnsRecord(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const zone = attributes.text('domain')!;
  const { name, ...content } = attributes.renamed({
    comment: 'comment',
    id: 'id',
    mx_priority: 'mxPriority',
    name: 'name',
    ttl: 'ttl',
    type: 'type',
    value: 'value',
  });
  const srv = attributes
    .inner('srv')
    ?.renamed({ port: 'port', priority: 'priority', target: 'target', weight: 'weight' });
  const https = attributes
    .inner('https')
    ?.renamed({ params: 'params', priority: 'priority', target: 'target' });
  return attributes.reading([
    zoneOf(zone),
    {
      kind: 'dnsRecord',
      in: { kind: 'domain', id: zone },
      object: present({ ...content, name: name ?? '', srv, https }),
      isWhole: true,
    },
  ]);
}

/**
 * Converts a `vercel_custom_certificate` of a Terraform state to objects of the account, for `trueup from terraform`. Takes its names from
 * the certificate. The key counts as a secret even if the provider does not mark it.
 */
export function customCertificate(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'certificate_authority_certificate');
  attributes.secret('private_key');
  const cns = namesIn(attributes.text('certificate'));
  if (cns.length === 0) {
    attributes.leave('`certificate` cannot be read, so its names are unknown');
    return attributes.reading([]);
  }
  const object = { ...attributes.renamed({ id: 'id' }), cns, autoRenew: false };
  return attributes.reading([{ kind: 'certificate', object }]);
}

/** Returns the host names of a PEM certificate; none if it cannot be read. */
function namesIn(pem: string | undefined): string[] {
  try {
    const { subjectAltName = '' } = new X509Certificate(pem ?? '');
    return [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name!);
  } catch {
    return [];
  }
}
