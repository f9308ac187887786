/* Colours and islands. */
#include <impinge/groups.h>

#include "../solve/graph.h"
#include "strides.h"

static impinge_status check_graph(const impinge_contact_graph *graph, const void *workspace) {
    if (!graph || (graph->contacts > 0 && (!graph->index_a || !graph->index_b)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (graph->contacts > CONTACTS_MAX || graph->bodies > BODIES_MAX) return IMPINGE_ERROR_COUNT;
    if (!STRIDES_FIT(graph->contacts, graph->index_stride)) return IMPINGE_ERROR_COUNT;
    return workspace || graph->contacts + graph->bodies == 0 ? IMPINGE_OK
                                                             : IMPINGE_ERROR_NULL_POINTER;
}

size_t impinge_colour_contacts_workspace(size_t contacts, size_t bodies) {
    return impinge_graph_colour_size(contacts, bodies);
}

impinge_status impinge_colour_contacts(const impinge_contact_graph *graph, void *workspace,
                                       impinge_contact_groups *colours) {
    const impinge_status status = check_graph(graph, workspace);
    if (status != IMPINGE_OK) return status;
    if (!colours || !colours->starts || (graph->contacts > 0 && !colours->order))
        return IMPINGE_ERROR_NULL_POINTER;
    impinge_graph_colour(graph, workspace, colours);
    return IMPINGE_OK;
}

size_t impinge_find_islands_workspace(size_t contacts, size_t bodies) {
    return impinge_graph_islands_size(contacts, bodies);
}

impinge_status impinge_find_islands(const impinge_contact_graph *graph, void *workspace,
                                    impinge_contact_groups *islands) {
    const impinge_status status = check_graph(graph, workspace);
    if (status != IMPINGE_OK) return status;
    if (!islands || !islands->starts || (graph->contacts > 0 && !islands->order))
        return IMPINGE_ERROR_NULL_POINTER;
    impinge_graph_islands(graph, workspace, islands);
    return IMPINGE_OK;
}

impinge_status impinge_count_sharing(const impinge_contact_graph *graph, uint32_t *sharing) {
    const impinge_status status = check_graph(graph, sharing);
    if (status != IMPINGE_OK) return status;
    impinge_graph_count_sharing(graph, sharing);
    return IMPINGE_OK;
}
