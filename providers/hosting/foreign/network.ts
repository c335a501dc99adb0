import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

export function network(of: Attributes): StateReading {
  of.skip('team_id', 'aws_account_id', 'aws_region', 'egress_ip_addresses', 'status', 'timeouts', 'vpc_id');
  const object = of.renamed({
    aws_availability_zone_ids: 'awsAvailabilityZoneIds',
    cidr: 'cidr',
    id: 'id',
    name: 'name',
    region: 'region',
  });
  return of.reading([{ kind: 'network', object }]);
}
