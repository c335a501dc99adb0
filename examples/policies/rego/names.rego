# New projects are named after their team: `TEAM-...`. Those that are there keep their names.
package main

import rego.v1

teams := ["shop", "docs", "platform"]

deny contains message if {
	some one in input.resource_changes
	one.type == "trueup_project"
	one.change.actions == ["create"]
	not named_after_a_team(one.change.after.name)
	message := sprintf("%s: the name of a new project begins with one of %s", [one.index, concat(", ", teams)])
}

named_after_a_team(name) if {
	some team in teams
	startswith(name, sprintf("%s-", [team]))
}
