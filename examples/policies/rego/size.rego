# Split a pull request that replaces or deletes many objects, and have somebody approve costs.
package main

import rego.v1

deny contains message if {
	gone := count([one | some one in input.resource_changes; deletes(one)])
	gone > 20
	message := sprintf("%d objects would be deleted or replaced: split the pull request", [gone])
}

warn contains message if {
	some one in input.resource_changes
	"cost" in one.trueup.permissions
	message := sprintf("%s costs money", [one.index])
}
