import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun } from './command-run.ts';
import type { FromOptions } from './from-file.ts';
import { fromTerraform } from './from-terraform.ts';
import { fromDnscontrol, fromZoneFile } from './from-zones.ts';
import { withScope } from './options.ts';

/** Adds the commands that turn files of other tools into a configuration. */
export function fromCommand(from: Command, provider: Provider, run: CommandRun): void {
  withPlaces(from.command('terraform'))
    .argument('<state.json>', 'the output of `terraform state pull` or `terraform show -json`')
    .description('convert the resources of a Terraform state, and verify that the result plans to no changes')
    .action((file: string, options: FromOptions) => fromTerraform(provider, file, options, run));
  withPlaces(from.command('dnscontrol'))
    .argument('<file.json>', 'the output of `dnscontrol print-ir`')
    .description('convert the zones of a dnscontrol configuration')
    .option(
      '--view <zone!tag>',
      'the view to convert of a zone with several; repeatable',
      (name: string, names: string[] = []) => [...names, name],
    )
    .action((file: string, options: FromOptions) => fromDnscontrol(provider, file, options, run));
  withPlaces(from.command('zonefile'))
    .argument('<file>', 'a BIND zone file (RFC 1035)')
    .description('convert the records of a zone file')
    .option('--zone <domain>', 'the zone, if the file does not name it')
    .action((file: string, options: FromOptions) => fromZoneFile(provider, file, options, run));
}

const withPlaces = (command: Command): Command =>
  withScope(command)
    .option('--stack <name>', 'the stack name (default: the team name)')
    .option('--out-dir <folder>', 'write one file per area (default: print a single file)')
    .option('--force', 'overwrite existing files')
    .option('--no-plan', 'skip the plan that checks the result');
