# The firewall stays on, also where the YAML does not mention the switch: `after` has the whole object.
package main

import rego.v1

deny contains message if {
	some one in kept("trueup_firewall")
	one.change.after.firewallEnabled == false
	message := sprintf("%s is off: set `firewallEnabled: true`", [one.index])
}

deny contains message if {
	some one in input.resource_changes
	one.type == "trueup_firewall_rule"
	deletes(one)
	one.change.before.action.mitigate.action == "deny"
	message := sprintf("%s refuses requests today and would be deleted: ask #security", [one.index])
}
