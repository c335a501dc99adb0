import { type DocumentedLimit, hour, minute } from './limit.ts';

/** The limits of domains, DNS records and certificates. */
// biome-ignore format: one limit per line
export const domainLimits: readonly DocumentedLimit[] = [
  { name: 'domain-create', what: 'domain creations', allowed: 120, window: hour, scope: 'owner', operations: ['createOrTransferDomain'] },
  { name: 'domain-update', what: 'domain updates', allowed: 60, window: minute, scope: 'owner', operations: ['patchDomain'] },
  { name: 'domain-delete', what: 'domain deletions', allowed: 100, window: minute, scope: 'owner', operations: ['deleteDomain'], source: 'the table of the page; its example says 60' },
  { name: 'domain-read', what: 'domain reads', allowed: 200, window: minute, scope: 'user', operations: ['getDomain', 'getDomains'], source: 'the first of two rows with this name; the second says 500' },
  { name: 'domain-config-read', what: 'DNS configuration reads', allowed: 500, window: minute, scope: 'user', operations: ['getDomainConfig'] },
  { name: 'domain-availability-read', what: 'domain availability reads', allowed: 60, window: minute, scope: 'user', operations: ['getDomainAvailability', 'getBulkAvailability'] },
  { name: 'domain-price-read', what: 'domain price reads', allowed: 100, window: minute, scope: 'user', operations: ['getDomainPrice', 'getBulkPrice'], weakOperations: ['getTldPrice'] },
  { name: 'domain-auth-code-read', what: 'transfer code reads', allowed: 10, window: minute, scope: 'user', operations: ['getDomainAuthCode'], source: 'the second of two rows with this name; the first says 50' },
  { name: 'domain-contact-read', what: 'contact verification reads', allowed: 20, window: minute, scope: 'user', operations: ['getDomainContactVerification'] },
  { name: 'domain-verification-record-read', what: 'verification record reads', allowed: 60, window: minute, scope: 'owner', operations: ['getDomainVerificationRecord'] },
  { name: 'domain-claim', what: 'domain ownership claims', allowed: 10, window: minute, scope: 'owner', operations: ['claimDomainOwnership'] },
  { name: 'domain-search', what: 'domain searches', allowed: 20, window: minute, scope: 'user', operations: [], weakOperations: ['searchDomains'] },
  { name: 'dns-record-create', what: 'DNS record creations', allowed: 100, window: hour, scope: 'owner', operations: ['createRecord'] },
  { name: 'dns-record-update', what: 'DNS record updates', allowed: 50, window: minute, scope: 'owner', operations: ['updateRecord'] },
  { name: 'certificate-create', what: 'certificate creations', allowed: 30, window: hour, scope: 'owner', operations: ['issueCert'] },
  { name: 'certificate-upload', what: 'certificate uploads', allowed: 30, window: hour, scope: 'owner', operations: [], weakOperations: ['uploadCert'], source: 'the wording of the row, "per hour"; its column says 60 seconds' },
  { name: 'certificate-read', what: 'certificate reads', allowed: 500, window: minute, scope: 'user', operations: ['getCerts', 'getCertById'] },
  { name: 'certificate-delete', what: 'certificate deletions', allowed: 60, window: 10 * minute, scope: 'owner', operations: ['removeCert'] },
];
