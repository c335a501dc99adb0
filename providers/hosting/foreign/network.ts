import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

/**
 * Converts a `vercel_network` (a private network for builds and functions) of a Terraform state to objects of the account, for `trueup from
 * terraform`.
 */
export function network(attributes: Attributes): StateReading {
  attributes.skip(
    'team_id',
    'aws_account_id',
    'aws_region',
    'egress_ip_addresses',
    'status',
    'timeouts',
    'vpc_id',
  );
  const object = attributes.renamed({
    aws_availability_zone_ids: 'awsAvailabilityZoneIds',
    cidr: 'cidr',
    id: 'id',
    name: 'name',
    region: 'region',
  });
  return attributes.reading([{ kind: 'network', object }]);
}
